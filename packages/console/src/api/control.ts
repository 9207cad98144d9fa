import type { components, paths } from "@cloud-browser/spec/control-types";
import createClient, { type Client } from "openapi-fetch";
import { apiKey, signOut } from "./key.ts";

type Schemas = components["schemas"];

/** A session, as `/control` shows it. */
export type ListedSession = Schemas["Session"];
/** A run. */
export type ListedRun = Schemas["Run"];
/** A function. */
export type BrowserFunction = Schemas["Function"];
/** Options of a new session. */
export type CreateSession = Schemas["CreateSession"];

/** Error of a call: the service refused it, or was not reached. */
export class ControlError extends Error {
  override readonly name = "ControlError";
  /** Status of the answer; 0 when there was none. */
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** The control interface, with the key of this tab. A key that is refused signs out. */
export const control: Client<paths> = createClient<paths>({
  baseUrl: location.origin,
  fetch: async (request) => {
    const response = await fetch(request).catch(() => undefined);
    if (response === undefined) throw new ControlError(0, "the service does not answer: is it running?");
    if (response.status === 401) signOut();
    return response;
  },
});
control.use({
  onRequest({ request }) {
    if (apiKey.value !== undefined) request.headers.set("authorization", `Bearer ${apiKey.value}`);
    return request;
  },
});

/** Result of a call of {@link control}. */
interface Answered<Data> {
  readonly data?: Data;
  readonly error?: unknown;
  readonly response: Response;
}

/** Resolves with the body of an answer. @throws {ControlError} when the service refused. */
export async function unwrap<Data>(call: Promise<Answered<Data>>): Promise<Data> {
  const { data, error, response } = await call;
  if (!response.ok) throw new ControlError(response.status, describeRefusal(error, response.status));
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an answer without a body has none: its type says so
  return data as Data;
}

/** Returns the sentence in the body of a refusal. */
function describeRefusal(body: unknown, status: number): string {
  const { detail, error }: { detail?: unknown; error?: unknown } = Object(body);
  if (typeof detail === "string") return detail;
  if (typeof error === "string") return error;
  if (Array.isArray(detail)) {
    return detail
      .map(({ loc, msg }: { loc?: unknown[]; msg?: unknown }) => `${loc?.slice(1).join(".") ?? ""}: ${String(msg)}`)
      .join("; ");
  }
  return `the service answered ${status}`;
}
