import { readProxy } from "@cloud-browser/browsers";
import { toFaults, type Fault } from "./validation-faults.ts";
import { describeServiceError, ServiceError } from "../service-error.ts";
import type { SessionOptions } from "../sessions/session-options.ts";
import { describeCookieRefusal, findCookieFault } from "../sessions/creation/start-cookies.ts";
import { compileValidator } from "./control-schemas.ts";

const validate = compileValidator<SessionOptions>("CreateSession");

/** Reads the options of a session from a body, or returns all faults in it. */
export function readSessionOptions(
  body: unknown,
): { readonly options: SessionOptions } | { readonly faults: readonly Fault[] } {
  if (!validate(body)) return { faults: toFaults(validate.errors ?? []).map(withoutSecrets) };
  const faults = [...findLocaleFaults(body), ...findCookieFaults(body), ...findProxyFaults(body)];
  return faults.length > 0 ? { faults } : { options: body };
}

/** Leaves out a wrong value that may have the credentials of a proxy. */
function withoutSecrets({ input, ...fault }: Fault): Fault {
  return input === undefined || fault.loc[1] === "proxy" ? fault : { ...fault, input };
}

function findProxyFaults({ proxy }: SessionOptions): readonly Fault[] {
  if (proxy === undefined) return [];
  try {
    readProxy(proxy);
    return [];
  } catch (error) {
    return [{ loc: ["body", "proxy"], msg: describeServiceError(error), type: "value_error" }];
  }
}

/** Finds language tags that have the form of one, and are none: `en-a`. */
function findLocaleFaults({ locale }: SessionOptions): readonly Fault[] {
  if (locale === undefined) return [];
  try {
    Intl.getCanonicalLocales(locale);
    return [];
  } catch {
    const msg = "Input should be a language tag of BCP 47, such as en-GB";
    return [{ loc: ["body", "locale"], msg, type: "value_error", input: locale }];
  }
}

function findCookieFaults({ cookies = [] }: SessionOptions): readonly Fault[] {
  return cookies.flatMap((cookie, index): readonly Fault[] => {
    const fault = findCookieFault(cookie);
    if (!fault) return [];
    const msg = describeCookieRefusal(cookie, fault.why);
    return [{ loc: ["body", "cookies", index, fault.field], msg, type: "value_error" }];
  });
}

/**
 * Checks session options that a program passes.
 *
 * @throws {ServiceError} `usage`, naming each option that is not as it should be.
 */
export function checkSessionOptions(options: SessionOptions = {}): SessionOptions {
  const result = readSessionOptions(options);
  if ("options" in result) return result.options;
  throw new ServiceError("usage", result.faults.map(({ loc, msg }) => `${loc.slice(1).join(".")}: ${msg}`).join("; "));
}
