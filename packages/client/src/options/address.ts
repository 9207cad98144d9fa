import { ClientError } from "../errors/client-error.ts";

/** A value of an option: given, or else that of its environment variable. */
export interface OptionValue {
  /** Name of the option or the variable that the value comes from; of the option when there is none. */
  readonly name: string;
  /** The value; `undefined` when there is none. */
  readonly value: unknown;
}

/** Returns the value of an option, or else that of its environment variable, `CLOUD_BROWSER_` and `variable`. */
export function readSetting(option: string, ownValue: unknown, variable: string): OptionValue {
  const value = ownValue ?? environment(variable);
  return { name: ownValue === undefined && value !== undefined ? prefix + variable : option, value };
}

/** Creates the error of an option that is neither given nor in the environment. */
export function missing(option: string, variable: string): ClientError {
  let allowed = "";
  try {
    void globalThis.process?.env[prefix + variable];
  } catch {
    allowed = ` and allow it to be read (deno run --allow-env=${prefix}${variable})`;
  }
  return new ClientError("misuse", `${option} is missing: pass ${option}, or set ${prefix}${variable}${allowed}`);
}

/**
 * Validates and normalizes a base URL, to which paths can be appended. Errors do not quote it, as it may contain credentials.
 *
 * @throws {ClientError} `misuse`
 */
export function parseBaseUrl({ name, value }: OptionValue, allowInsecureHttp = false): string {
  const refuse = (rule: string): never => {
    throw new ClientError("misuse", `${name} ${rule}`);
  };
  const text = typeof value === "string" ? value.trim() : "";
  const url = URL.canParse(text) ? new URL(text) : refuse("must be a URL such as https://host/path; it has no scheme");
  const { protocol, origin, hostname, pathname, href } = url;
  if (!/^https?:$/.test(protocol))
    return refuse("must begin with https://, or http:// for this machine, such as http://localhost:8080");
  if (href !== origin + pathname) return refuse("must have no user name, password, query or fragment");
  if (protocol === "http:" && !allowInsecureHttp && !isLoopback(hostname))
    return refuse("must begin with https://, as http:// exposes the key to the network; allowInsecureHttp allows it");
  return origin + pathname.replace(/\/*$/, "");
}

function isLoopback(hostname: string): boolean {
  return /^(?:\[::1\]|(?:.+\.)?localhost|127(?:\.\d+){3})$/.test(hostname);
}

const prefix = "CLOUD_BROWSER_";

/** Returns an environment variable, by its name without `CLOUD_BROWSER_`. */
export function environment(name: string): string | undefined {
  try {
    return globalThis.process?.env[prefix + name] || undefined;
  } catch {
    return undefined; // Deno throws without permission to read the variable
  }
}
