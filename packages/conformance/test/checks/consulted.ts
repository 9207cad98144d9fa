/** Watches which exchanges of a run the judge of a check looks up. */
import { sentFor, type Check } from "../../src/checks/check.ts";
import type { Exchange } from "../../src/http/exchange.ts";
import { defaults } from "../../src/configuration/settings.ts";
import { listProbes } from "../../src/run/suite.ts";

type Run = ReadonlyMap<string, Exchange>;

/** Probes that a run sends by itself where a combination is refused, if it has not sent them before. */
const onDemand: Readonly<Record<string, RegExp>> = {
  "scrape/accepts-combinations": /^scrape\/(with-|update-metadata-)/,
};

const planned = new Set(listProbes(defaults.seed).map(({ id }) => id));

/** Names, by the checks that look at them, of exchanges that neither `probes` nor `consults` of the check names. */
export class Consulted {
  readonly #unnamed = new Set<string>();

  /** The run, as a judge may see it that judges one exchange. Exchanges that were made for other checks are not watched. */
  watch(check: Check, exchange: Exchange, run: Run): Run {
    const ids = new Set(sentFor(check));
    if (!ids.has(exchange.id)) return run;
    const look = (id: string): Exchange | undefined => {
      const isNamed = ids.has(id) || onDemand[check.id]?.test(id) === true;
      if (planned.has(id) && !isNamed) this.#unnamed.add(`${check.id} looks at ${id}`);
      return run.get(id);
    };
    return new Proxy(run, {
      get(map, name) {
        if (name === "get") return look;
        const member: unknown = Reflect.get(map, name, map);
        return typeof member === "function" ? member.bind(map) : member;
      },
    });
  }

  /** Reads so far that no check names: where such a check runs alone, it may judge otherwise. */
  get unnamed(): string[] {
    return [...this.#unnamed].sort();
  }
}
