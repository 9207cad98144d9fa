import type { CustomFetch, FetchInit } from "../options/custom-fetch.ts";

/** Bodies of requests as text, as they were built: a `Request` gives its body as a stream only, and once. */
const texts = new WeakMap<Request, string>();

/** Keeps the body of a request for `sendWith`. */
export function keepBody(request: Request, body: unknown): void {
  if (typeof body === "string") texts.set(request, body);
}

/**
 * Sends a request with a custom `fetch`.
 *
 * @param once - hands over the body as a stream, so that no `fetch` can send it twice
 */
export async function sendWith(fetch: CustomFetch, request: Request, once: boolean): Promise<Response> {
  Object.defineProperty(request, "toString", { configurable: true, value: () => request.url });
  const { method, signal, redirect } = request;
  const init = { method, headers: Object.fromEntries(request.headers), signal, redirect };
  const response: unknown = await fetch(request, request.body ? { ...init, ...(await bodyOf(request, once)) } : init);
  if (response instanceof Response) return response;
  const { responseFrom } = await import("./foreign-response.ts");
  return responseFrom(response);
}

/** Returns the body of a request that is not sent yet, and leaves the request unread. */
async function bodyOf(request: Request, once: boolean): Promise<Pick<FetchInit, "body" | "duplex">>;
async function bodyOf(request: Request, once: boolean): Promise<object> {
  const body = texts.get(request) ?? new Uint8Array(await request.clone().arrayBuffer());
  if (!once) return { body };
  const { singleBody } = await import("./foreign-response.ts");
  return singleBody(body);
}
