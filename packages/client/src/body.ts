/**
 * The body as text; `undefined` when it is larger than the bound.
 *
 * @param strict - called when it is not UTF-8, to throw. Default: what is no character is replaced.
 */
export async function textOf({ body }: Response, maxBytes: number, strict?: () => never): Promise<string | undefined> {
  if (!body) return "";
  const reader = body.getReader();
  const decoder = new TextDecoder("utf-8", { fatal: !!strict });
  let text = "";
  const add = (bytes?: Uint8Array): void => {
    try {
      text += decoder.decode(bytes, { stream: !!bytes });
    } catch {
      strict?.();
    }
  };
  for (let bytes = 0; ;) {
    const { done, value } = await reader.read();
    if (done) {
      add();
      return text;
    }
    bytes += value.length;
    if (bytes > maxBytes) {
      void reader.cancel().catch(() => undefined); // only frees the connection
      return undefined;
    }
    add(value);
  }
}

/** JSON as parsed, or else the text. */
export function parsed(text: string | undefined): unknown {
  try {
    return text && JSON.parse(text);
  } catch {
    return text; // the error would quote the body
  }
}
