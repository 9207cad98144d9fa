import { listFindings, type Finding } from "../../../packages/conformance/src/checks/check.ts";
import { defaults } from "../../../packages/conformance/src/configuration/settings.ts";
import { checks, listProbes } from "../../../packages/conformance/src/run/suite.ts";
import { listBroken } from "../../../packages/conformance/test/broken-exchanges/broken-exchanges.ts";
import { exchangeAll, target } from "../../../packages/conformance/test/without-socket.ts";

/**
 * Returns a finding of each check that judges exchanges by themselves, by its id: what it says of the server that the tests break for it.
 * Checks about known pages are left out: their servers need a browser.
 */
export async function provokeFindings(): Promise<ReadonlyMap<string, Finding>> {
  const run = await exchangeAll(listProbes(defaults.seed));
  return new Map(
    checks.flatMap((check) => {
      for (const broken of listBroken(check, run)) {
        const [finding] = listFindings(check, check.judge(broken, target, run), broken);
        if (finding) return [[check.id, { ...finding, exchange: broken.id }] as const];
      }
      return [];
    }),
  );
}
