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
  // A request that middleware made; those of the connection have the method.
  // oxlint-disable-next-line typescript/no-base-to-string -- it is asked whether it has one of its own
  if (request.toString() !== request.url)
    Object.defineProperty(request, "toString", { configurable: true, value: () => request.url });
  const isKnown = !once && (text !== undefined || !request.body);
  const init = isKnown ? initOf(request, text) : await withBody(request, text, once);
  const response: unknown = await fetch(request, init);
  if (response instanceof Response) return response;
  const { responseFrom } = await import("./foreign-response.ts");
  return responseFrom(response);
}

/** Returns the options of a request, each of which is made when it is read: few read them. */
function initOf(request: Request, body: string | undefined): FetchInit {
  return {
    ...(body !== undefined && { body }),
    get method() {
      return request.method;
    },
    get headers() {
      return Object.fromEntries(request.headers);
    },
    get redirect() {
      return request.redirect;
    },
    get signal() {
      return request.signal;
    },
  };
}

/** Returns the options with a body that is not at hand as text, or must not be; leaves the request unread. */
async function withBody(request: Request, text: string | undefined, once: boolean): Promise<FetchInit>;
async function withBody(request: Request, text: string | undefined, once: boolean): Promise<object> {
  const init = initOf(request, undefined);
  if (!request.body) return init;
  const body = text ?? new Uint8Array(await request.clone().arrayBuffer());
  if (!once) return Object.assign(init, { body });
  const { singleBody } = await import("./foreign-response.ts");
  return Object.assign(init, await singleBody(body));
}
