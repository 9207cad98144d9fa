import type { CloudBrowserOptions } from "@cloud-browser/client";

/**
 * Things that an agent may do or see only when they are allowed.
 *
 * - `billed-runs`: to start billed runs without asking the person each time.
 * - `cookie-values`: to read the values of cookies, not only their names.
 * - `replay-links`: to get presigned addresses of recordings: whoever has one sees the recording until it expires.
 * - `cdp-urls`: to get the address that drives a session by CDP: whoever has it acts in the session.
 */
export const allowances = ["billed-runs", "cookie-values", "replay-links", "cdp-urls"] as const;

/** One of the things that have to be allowed. */
export type Allowance = (typeof allowances)[number];

/** Options of the tools. */
export interface AgentToolsOptions extends Pick<
  CloudBrowserOptions,
  "apiKey" | "baseUrl" | "automationUrl" | "automationWord" | "serviceWord" | "allowInsecureHttp" | "fetch" | "timeouts"
> {
  /** Profile that every session and function of the tools begins with. Default: none. */
  readonly profile?: AgentProfile | undefined;
  /** Things that are allowed beside the rest. Default: none of them. */
  readonly allow?: readonly Allowance[] | undefined;
  /** Maximum number of characters of a page in one result, 1,000 to 200,000. Default: 16,000, about 4,000 tokens of English. */
  readonly maxPageChars?: number | undefined;
}

/** A profile, and whether it is changed. */
export interface AgentProfile {
  /** Its name. */
  readonly name: string;
  /** `read`: what sessions change is not kept. `write`: it is kept, one session at a time. Default: `read`. */
  readonly mode?: "read" | "write" | undefined;
}

/** Checked settings of the tools. */
export interface ToolSettings {
  readonly profile: { readonly name: string; readonly mode: "read" | "write" } | undefined;
  readonly allowed: ReadonlySet<Allowance>;
  readonly maxPageChars: number;
}

/** @throws {TypeError} when an option can't be used. */
export function toolSettings({ profile, allow = [], maxPageChars = 16_000 }: AgentToolsOptions): ToolSettings {
  const unknown = allow.find((one) => !allowances.includes(one));
  if (unknown !== undefined)
    throw new TypeError(`allow: ${JSON.stringify(unknown)} is none of ${allowances.join(", ")}`);
  if (!Number.isInteger(maxPageChars) || maxPageChars < 1_000 || maxPageChars > 200_000) {
    throw new TypeError(`maxPageChars must be a whole number from 1,000 to 200,000; it is ${String(maxPageChars)}`);
  }
  if (profile !== undefined && !/^[A-Za-z0-9][\w.-]{0,63}$/u.test(profile.name)) {
    throw new TypeError("profile.name must be 1 to 64 letters, digits, dots, underscores and hyphens");
  }
  const mode = profile?.mode ?? "read";
  if (mode !== "read" && mode !== "write") throw new TypeError("profile.mode must be read or write");
  return {
    profile: profile === undefined ? undefined : { name: profile.name, mode },
    allowed: new Set(allow),
    maxPageChars,
  };
}
