import { AsyncLocalStorage } from "node:async_hooks";
import { randomUUID } from "node:crypto";
import type { ServiceErrorCode } from "./service-error.ts";

/** Fields that log lines have of the request in which they were written. */
export interface RequestContext {
  /** Id of the request: what its client called it, or a new UUID. Nodes pass it on. */
  readonly request: string;
  /** Id of the session that it is about. */
  session?: string;
  /** Name of the key that it carries; `main` for the one that the service was started with. */
  key?: string;
  /** Code of the error that it is answered with. */
  code?: ServiceErrorCode;
}

/** Header by which clients and nodes name a request. */
export const requestIdHeader = "x-request-id";

const contexts = new AsyncLocalStorage<RequestContext>();
const safeId = /^[\w.-]{1,64}$/;
const uuid = "[\\da-f]{8}(?:-[\\da-f]{4}){3}-[\\da-f]{12}";
const ofSession = new RegExp(`^/(?:(?:control/)?sessions|viewer|recordings)/(${uuid})(?:/|$)`);

/** Returns the context of the current request, or of the one that started the current work. Outside of any a new one, without an id. */
export function requestContext(): Partial<RequestContext> {
  return contexts.getStore() ?? {};
}

/** Handles a request within its own context. */
export function runInRequest<Result>(
  headers: Headers,
  path: string,
  answer: (context: RequestContext) => Result,
): Result {
  const id = headers.get(requestIdHeader) ?? "";
  const context: RequestContext = { request: safeId.test(id) ? id : randomUUID() };
  const [, session] = ofSession.exec(path) ?? [];
  if (session !== undefined) context.session = session;
  return contexts.run(context, () => answer(context));
}

/** Address of the service as its clients see it, without a slash at its end. A request that another node forwards brings that of its client. */
export class PublicUrl {
  /** Address of this process. */
  readonly own: string;
  readonly #ofRequests = new AsyncLocalStorage<string>();

  /** @param own - Address of this process. */
  constructor(own: string) {
    this.own = own;
  }

  /** Address that the client of the current request uses; outside of a forwarded request this process's own. */
  get current(): string {
    return this.#ofRequests.getStore() ?? this.own;
  }

  /** Handles a request whose client uses another address. */
  runWith<Result>(url: string, handle: () => Result): Result {
    return this.#ofRequests.run(url, handle);
  }
}
