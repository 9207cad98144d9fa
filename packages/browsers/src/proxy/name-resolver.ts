import { lookup } from "node:dns/promises";
import pTimeout from "p-timeout";

/**
 * Asks for all addresses of a host's name. Rejects when there are none.
 */
export type Resolve = (name: string) => Promise<readonly string[]>;

/** The resolver of the operating system, with its hosts file. */
export const systemResolve: Resolve = async (name) =>
  (await lookup(name, { all: true, order: "verbatim" })).map(({ address }) => address);

/** Bounds of a {@link NameResolver}. */
export interface ResolverLimits {
  /** How long a name may take, in milliseconds. */
  readonly lookupMs: number;
  /** Most names looked up at a time; those that took too long count until they end. */
  readonly lookups: number;
  /** How long an answer is believed, in milliseconds; 0 asks each time. */
  readonly believedMs: number;
}

/** Result of a lookup. */
export type Resolved = readonly string[] | "unresolvable" | "busy";

/** Most addresses of one name that are looked at. */
const mostAddresses = 32;
/** Most answers that are kept. */
const mostAnswers = 1000;
const loopback: readonly string[] = ["127.0.0.1", "::1"];

/**
 * Resolves names in bounded time and number, each once at a time, and remembers answers for a moment.
 * `localhost` and what is below it are loopback, whatever a resolver says (RFC 6761).
 */
export class NameResolver {
  readonly #resolve: Resolve;
  readonly #limits: ResolverLimits;
  readonly #answers = new Map<string, { readonly resolved: Resolved; readonly until: number }>();
  readonly #asked = new Map<string, Promise<Resolved>>();
  #running = 0;

  constructor(resolve: Resolve, limits: ResolverLimits) {
    this.#resolve = resolve;
    this.#limits = limits;
  }

  /** Addresses of a name, in the resolver's order. Never rejects. */
  async addressesOf(name: string): Promise<Resolved> {
    if (name === "localhost" || name.endsWith(".localhost")) return loopback;
    const known = this.#answers.get(name);
    if (known !== undefined && known.until > performance.now()) return known.resolved;
    const asked = this.#asked.get(name);
    if (asked !== undefined) return asked;
    if (this.#running >= this.#limits.lookups) return "busy";
    const asking = this.#ask(name).finally(() => this.#asked.delete(name));
    this.#asked.set(name, asking);
    return asking;
  }

  async #ask(name: string): Promise<Resolved> {
    const resolved = await pTimeout(this.#lookUp(name), {
      milliseconds: this.#limits.lookupMs,
      fallback: () => "unresolvable" as const,
    });
    this.#remember(name, resolved);
    return resolved;
  }

  async #lookUp(name: string): Promise<Resolved> {
    this.#running += 1;
    try {
      const addresses = await this.#resolve(name);
      return addresses.length === 0 ? "unresolvable" : addresses.slice(0, mostAddresses);
    } catch {
      return "unresolvable";
    } finally {
      this.#running -= 1;
    }
  }

  #remember(name: string, resolved: Resolved): void {
    if (this.#limits.believedMs === 0) return;
    this.#answers.delete(name);
    const [oldest] = this.#answers.keys();
    if (this.#answers.size >= mostAnswers && oldest !== undefined) this.#answers.delete(oldest);
    const shareOfFailure = resolved === "unresolvable" ? 0.1 : 1;
    this.#answers.set(name, { resolved, until: performance.now() + this.#limits.believedMs * shareOfFailure });
  }
}
