import { findMisuse, type CallValues } from "../options/check-options.ts";
import { ClientError, guardArguments, omitUndefined } from "../errors/client-error.ts";
import { registerRedactor } from "../errors/redaction.ts";
import { clientHeaders, connect, toRecord, typedClients, type Connection, type RawClient } from "../http/connection.ts";
import { logLevelFromEnvironment } from "../options/hooks.ts";
import type { CallContext, CallOptions } from "./operation-call.ts";
import type { CloudBrowserOptions } from "../options/settings.ts";

/** The typed client of the contract that callers use, the connection of a client, and what makes the context of each of its calls. */
export type CallContexts = readonly [raw: RawClient, connection: Connection, contextOf: ContextOf];

/**
 * Merges the options of a call with those of its client.
 *
 * @throws {ClientError} `misuse` when one can't be read, or names a connection that is invalid.
 */
type ContextOf = (options: CallOptions) => CallContext;

/** Options of a connection: a call with one of them uses a connection of its own. */
const connecting = /\b(?:apiKey|baseUrl|automation(?:Url|Word)|serviceWord|allowInsecureHttp|fetch)\b/;

/**
 * Creates the connection of a client. Sends nothing.
 *
 * @throws {ClientError} `misuse` when an option is invalid or missing, or the runtime lacks what is needed.
 */
export function createCallContexts(defaults: CloudBrowserOptions): CallContexts {
  assertRuntime();
  checkCallValues({ options: defaults });
  const connection = connect(defaults);
  const { logLevel = logLevelFromEnvironment() } = defaults;
  const own = clientHeaders(defaults.headers);
  const { raw, builder } = typedClients(connection, own);
  registerRedactor(raw, connection.redactKeys);
  const createContext: ContextOf = (callOptions) =>
    guardArguments(() => {
      const callValues = omitUndefined(callOptions);
      const timeouts = { ...defaults.timeouts, ...(callValues.timeouts && omitUndefined(callValues.timeouts)) };
      const options = { ...defaults, logLevel, ...callValues, timeouts };
      const isOther = connecting.test(Object.keys(callValues).join());
      const headers = callValues.headers ? { ...own, ...toRecord(callValues.headers) } : own;
      return { builder, options, headers, connection: isOther ? connect(options) : connection };
    });
  return [raw, connection, createContext];
}

/** @throws {ClientError} `misuse` when an argument is invalid. */
export function checkCallValues(callValues: CallValues): void {
  const message = guardArguments(() => findMisuse(callValues));
  if (message) throw new ClientError("misuse", message, { attempts: 0 });
}

/** @throws {ClientError} `misuse` when the runtime lacks what is needed. */
function assertRuntime(): void {
  const { node } = globalThis.process?.versions ?? {};
  if (Number.parseFloat(node ?? "20") < 20)
    throw new ClientError("misuse", `Node.js ${node} is too old: @cloud-browser/client needs Node.js 20 or later`);
  if (typeof Request === "undefined")
    throw new ClientError("misuse", "there is no global Request and Response: in Jest, set testEnvironment to node");
}
