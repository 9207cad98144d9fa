import { ClientError, isRecord, ownError } from "../errors/client-error.ts";
import type { Redact } from "../errors/redaction.ts";
import { hintIn, writeLine } from "../errors/response-error.ts";

/** Most faults of a request that a message lists. */
const maxFaults = 3;

/**
 * Returns the error of a status other than 2xx with the sentence in which the service says why it refuses; any other value as it is.
 *
 * @param redact - makes that sentence safe to log
 */
export function withReason(thrown: unknown, redact: Redact): unknown {
  const error = ownError(thrown);
  if (!error?.status || error.code === "authentication") return thrown; // of that the message has it
  const { code, message, status, body, headers } = error;
  const reason = faultsIn(body, redact) || hintIn(body, redact);
  if (!reason) return error;
  const response = new Response(null, { status, headers: headers ?? {} });
  return new ClientError(code, `${message}: ${reason}`, { response, body });
}

/** Returns the faults of a request with their places; empty when the body lists none. */
function faultsIn(body: unknown, redact: Redact): string {
  const detail = isRecord(body) ? body["detail"] : undefined;
  if (!Array.isArray(detail)) return "";
  const lines = detail.slice(0, maxFaults).map((fault: unknown) => {
    const { loc, msg } = isRecord(fault) ? fault : {};
    // Each by itself: the name of a field, such as `key`, does not make a secret of the sentence behind it.
    const place = Array.isArray(loc) ? `${writeLine(loc.join("."), redact)}: ` : "";
    return place + writeLine(String(msg), redact);
  });
  return lines.join("; ");
}
