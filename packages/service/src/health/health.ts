import pTimeout from "p-timeout";
import { describeServiceError } from "../service-error.ts";
/** Names of the health checks. */
export const checkNames = ["storage", "records", "bucket", "encoder", "browsers", "load", "profiles"] as const;

type CheckName = (typeof checkNames)[number];

/** Problems by check, as messages for operators; without paths, addresses and secrets. */
export type Checks = Readonly<Record<(typeof checkNames)[number], () => Promise<string | undefined>>>;

/** How the service is. */
export interface HealthReport {
  /** `degraded` when a check fails: sessions continue, but some of their data may be lost or late. */
  readonly status: "ok" | "degraded";
  /** Checks with their problems; null if a check passed. */
  readonly checks: Readonly<Record<(typeof checkNames)[number], string | null>>;
}

/** How long a report is cached, in milliseconds. */
const cacheMs = 2_000;
/** Timeout of a check, in milliseconds: a file system that is lost never answers. */
const timeoutMs = 3_000;

/** Checks what the service depends on; results are shared for two seconds. */
export class Health {
  readonly #checks: Checks;
  readonly #running = new Map<CheckName, Promise<string | undefined>>();
  #report: Promise<HealthReport> | undefined;
  #reportedMs = -Infinity;

  constructor(checks: Checks) {
    this.#checks = checks;
  }

  /** Returns the report, which is at most two seconds old. */
  report(): Promise<HealthReport> {
    if (this.#report && performance.now() - this.#reportedMs < cacheMs) return this.#report;
    this.#reportedMs = performance.now();
    this.#report = this.#runChecks();
    return this.#report;
  }

  async #runChecks(): Promise<HealthReport> {
    const [storage, records, bucket, encoder, browsers, load, profiles] = await Promise.all(
      checkNames.map((name) => this.#readOutcome(name)),
    );
    const checks = {
      storage: storage ?? null,
      records: records ?? null,
      bucket: bucket ?? null,
      encoder: encoder ?? null,
      browsers: browsers ?? null,
      load: load ?? null,
      profiles: profiles ?? null,
    };
    const isFine = Object.values(checks).every((fault) => fault === null);
    return { status: isFine ? "ok" : "degraded", checks };
  }

  /** Runs a check. One that hangs is not started again until it ends: each would occupy one of the few threads that read and write files. */
  async #readOutcome(name: CheckName): Promise<string | undefined> {
    const check = this.#running.get(name) ?? this.#begin(name);
    const fallback = (): string => `timed out after ${timeoutMs / 1_000} seconds`;
    return pTimeout(check, { milliseconds: timeoutMs, fallback });
  }

  #begin(name: CheckName): Promise<string | undefined> {
    const check = this.#checks[name]()
      .catch(describeServiceError)
      .finally(() => this.#running.delete(name));
    this.#running.set(name, check);
    return check;
  }
}
