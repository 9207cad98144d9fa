import { lookup } from "node:dns/promises";
import pTimeout from "p-timeout";

/**
 * Looks up all addresses of a host name. Rejects if it has no address.
 */
export type Resolve = (name: string) => Promise<readonly string[]>;

/** The resolver of the operating system, with its hosts file. */
export const systemResolve: Resolve = async (name) =>
  (await lookup(name, { all: true, order: "verbatim" })).map(({ address }) => address);

/** Limits of a {@link DnsResolver}. */
export interface ResolverLimits {
  /** Lookup timeout, in milliseconds. */
  readonly lookupMs: number;
  /** Limit of concurrent lookups; those that timed out count until they end. */
  readonly lookups: number;
  /** Time to live of cached answers, in milliseconds; 0 disables the cache. */
  readonly ttlMs: number;
}

/** Result of a lookup. */
export type DnsAnswer = readonly string[] | "unresolvable" | "busy";

/** Most addresses of one name that are used. */
const maxAddresses = 32;
/** Most answers in the cache. */
const maxAnswers = 1000;
const loopback: readonly string[] = ["127.0.0.1", "::1"];

/**
 * Resolves names with a timeout and a limit of concurrent lookups, each name once at a time, and caches answers for a short time.
 * `localhost` and its subdomains are loopback, whatever a resolver returns (RFC 6761).
 */
export class DnsResolver {
  readonly #resolve: Resolve;
  readonly #limits: ResolverLimits;
  readonly #cache = new Map<string, { readonly resolved: DnsAnswer; readonly until: number }>();
  readonly #pending = new Map<string, Promise<DnsAnswer>>();
  #running = 0;

  constructor(resolve: Resolve, limits: ResolverLimits) {
    this.#resolve = resolve;
    this.#limits = limits;
  }

  /** Returns the addresses of a name, in the resolver's order. Never rejects. */
  async resolveAddresses(name: string): Promise<DnsAnswer> {
    if (name === "localhost" || name.endsWith(".localhost")) return loopback;
    const known = this.#cache.get(name);
    if (known !== undefined && known.until > performance.now()) return known.resolved;
    const pending = this.#pending.get(name);
    if (pending !== undefined) return pending;
    if (this.#running >= this.#limits.lookups) return "busy";
    const asking = this.#lookUpInTime(name).finally(() => this.#pending.delete(name));
    this.#pending.set(name, asking);
    return asking;
  }

  async #lookUpInTime(name: string): Promise<DnsAnswer> {
    const resolved = await pTimeout(this.#lookUp(name), {
      milliseconds: this.#limits.lookupMs,
      fallback: () => "unresolvable" as const,
    });
    this.#store(name, resolved);
    return resolved;
  }

  async #lookUp(name: string): Promise<DnsAnswer> {
    this.#running += 1;
    try {
      const addresses = await this.#resolve(name);
      return addresses.length === 0 ? "unresolvable" : addresses.slice(0, maxAddresses);
    } catch {
      return "unresolvable";
    } finally {
      this.#running -= 1;
    }
  }

  #store(name: string, resolved: DnsAnswer): void {
    if (this.#limits.ttlMs === 0) return;
    this.#cache.delete(name);
    const [oldest] = this.#cache.keys();
    if (this.#cache.size >= maxAnswers && oldest !== undefined) this.#cache.delete(oldest);
    const failureShare = resolved === "unresolvable" ? 0.1 : 1;
    this.#cache.set(name, { resolved, until: performance.now() + this.#limits.ttlMs * failureShare });
  }
}
