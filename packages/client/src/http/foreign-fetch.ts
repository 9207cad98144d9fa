import type { CustomFetch, FetchInit } from "../options/custom-fetch.ts";

/**
 * Sends a request with a custom `fetch`.
 *
 * @param text - its body, if that is known as text; a `Request` gives its body as a stream only, and once
 * @param once - hands over the body as a stream, so that no `fetch` can send it twice
 */
export async function sendWith(
  fetch: CustomFetch,
  request: Request,
  text: string | undefined,
  once: boolean,
): Promise<Response> {
  const isKnown = !once && (text !== undefined || !request.body);
  const init = isKnown ? buildInit(request, text) : await withBody(request, text, once);
  const response: unknown = await fetch(request, init);
  if (response instanceof Response) return response;
  const { responseFrom } = await import("./foreign-response.ts");
  return responseFrom(response);
}

/** Adds a `toString` with the URL to a request that middleware created; requests of the connection have one. */
export function addressRequest(request: Request): Request {
  return Object.defineProperty(request, "toString", { configurable: true, value: () => request.url });
}

/** Returns the options of a request; its headers are copied when they are read: few read them. */
function buildInit(request: Request, body: string | undefined): FetchInit {
  const { method, redirect, signal } = request;
  const init = {
    method,
    redirect,
    signal,
    get headers() {
      return Object.fromEntries(request.headers);
    },
  };
  return body === undefined ? init : Object.assign(init, { body });
}

/** Returns the options with a body that is not at hand as text, or must not be; leaves the request unread. */
async function withBody(request: Request, text: string | undefined, once: boolean): Promise<FetchInit>;
async function withBody(request: Request, text: string | undefined, once: boolean): Promise<object> {
  const init = buildInit(request, undefined);
  if (!request.body) return init;
  const body = text ?? new Uint8Array(await request.clone().arrayBuffer());
  if (!once) return Object.assign(init, { body });
  const { singleBody } = await import("./foreign-response.ts");
  return Object.assign(init, await singleBody(body));
}
