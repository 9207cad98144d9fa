import type { CDPSession, Page } from "playwright-core";
import pTimeout from "p-timeout";
import { ServiceError } from "../service-error.ts";

/** Most bytes of one image. */
const maxBytes = 4 * 2 ** 20;
/** How long an image may take, in milliseconds. */
const imageMs = 15_000;
/** Most images that a session loads at a time. */
const maxAtOnce = 8;
/** Bytes that are read at a time. */
const pieceBytes = 256 * 1_024;

/** An image of a page. */
export interface LoadedImage {
  /** Media type, by what its bytes begin with. */
  readonly type: string;
  /** Its bytes. */
  readonly bytes: Uint8Array<ArrayBuffer>;
}

const loading = new WeakMap<Page, number>();

/**
 * Loads an image as a page does: through the egress proxy, and with its cookies for its own origin, which alone may show it.
 *
 * @returns The image; the reason in words when there is none: another kind of file, too many bytes, a refused address, a status.
 * @throws {ServiceError} `busy` when the page loads too many already.
 */
export async function loadPageImage(page: Page, url: URL): Promise<LoadedImage | string> {
  const count = loading.get(page) ?? 0;
  if (count >= maxAtOnce)
    throw new ServiceError("busy", `${maxAtOnce} images of this page are being loaded; try again`);
  loading.set(page, count + 1);
  const devtools = await page.context().newCDPSession(page);
  try {
    const message = `it has not come for ${imageMs / 1_000} s`;
    return await pTimeout(load(devtools, url), { milliseconds: imageMs, message });
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    loading.set(page, (loading.get(page) ?? 1) - 1);
    devtools.detach().catch(() => undefined);
  }
}

async function load(devtools: CDPSession, url: URL): Promise<LoadedImage | string> {
  const { frameTree } = await devtools.send("Page.getFrameTree");
  const { resource } = await devtools.send("Network.loadNetworkResource", {
    frameId: frameTree.frame.id,
    url: url.href,
    options: { disableCache: false, includeCredentials: false },
  });
  if (!resource.success) return `it can't be loaded: ${resource.netErrorName ?? `status ${resource.httpStatusCode}`}`;
  const { stream: handle } = resource;
  if (handle === undefined) return "it is empty";
  const pieces: Buffer[] = [];
  try {
    for (let size = 0; ;) {
      const { data, base64Encoded, eof } = await devtools.send("IO.read", { handle, size: pieceBytes });
      const piece = Buffer.from(data, base64Encoded ? "base64" : "latin1");
      size += piece.length;
      if (size > maxBytes) return `it is larger than ${maxBytes} bytes`;
      pieces.push(piece);
      if (eof) break;
    }
  } finally {
    devtools.send("IO.close", { handle }).catch(() => undefined);
  }
  const bytes = Buffer.concat(pieces);
  const type = findImageType(bytes);
  return type === undefined ? "it is no PNG, JPEG, GIF, WebP or AVIF" : { type, bytes };
}

/** Returns the media type of an image that holds nothing but pixels; undefined for anything else, as an SVG, which is a document. */
function findImageType(bytes: Buffer): string | undefined {
  const begins = (text: string, at = 0): boolean => bytes.subarray(at, at + text.length).toString("latin1") === text;
  if (begins("\u0089PNG\r\n\u001A\n")) return "image/png";
  if (begins("\u00FF\u00D8\u00FF")) return "image/jpeg";
  if (begins("GIF87a") || begins("GIF89a")) return "image/gif";
  if (begins("RIFF") && begins("WEBP", 8)) return "image/webp";
  if (begins("ftypavif", 4) || begins("ftypavis", 4)) return "image/avif";
  return undefined;
}
