/**
 * Middleware that prevents `fetch` from sending a request twice: an automation is not idempotent.
 *
 * Node.js repeats a request after 421 Misdirected Request, as the Fetch Standard says, unless its body is a stream. Other
 * runtimes do not, and some can't send streams: there the request is unchanged.
 */
export async function singleRequest({ request }: { readonly request: Request }): Promise<Request | undefined> {
  const { undici, bun, deno } = globalThis.process?.versions ?? {};
  if (!undici || bun || deno || !request.body) return undefined;
  const bytes = await request.arrayBuffer();
  const headers = new Headers(request.headers);
  headers.set("content-length", `${bytes.byteLength}`); // not every server supports chunked requests
  const init = { headers, body: new Blob([bytes]).stream(), duplex: "half" };
  return new Request(request, init);
}
