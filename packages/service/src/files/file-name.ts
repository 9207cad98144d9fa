import filenamify from "filenamify";

/** Longest name, in bytes of UTF-8: file systems take 255, and a copy adds to it. */
const maxBytes = 200;

/** Longest extension that is kept when a name is shortened, in bytes of UTF-8. */
const maxExtensionBytes = 20;

/**
 * Makes a file name that is safe on every file system and in every terminal: the last part of a path, without control and bidi characters,
 * reserved names, dots or dashes in front, or spaces and dots at the end, of at most 200 bytes.
 *
 * @param name - Untrusted: pages, servers and clients choose it.
 * @param others - Names that it must differ from, also in their case; a number is added then.
 */
export function makeSafeFileName(name: string, others: Iterable<string> = []): string {
  const [last = ""] = name
    .toWellFormed()
    .normalize("NFC")
    .split(/[/\\]+/)
    .filter((part) => part.trim() !== "")
    .slice(-1);
  const visible = last
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}]/gu, "")
    .replaceAll(/\s+/gu, " ")
    .trim();
  const named = filenamify(shorten(visible.replaceAll("\uFFFD", "_")), { replacement: "_", maxLength: maxBytes });
  const safe = named
    .trim()
    .replace(/^[.\-~]+/, "_")
    .replaceAll(/[. ]+$/g, "");
  return makeUnlike(/[^_]/.test(safe) ? safe : "file", others);
}

/** Cuts a name to the limit, between characters, and keeps its extension. */
function shorten(name: string): string {
  if (Buffer.byteLength(name) <= maxBytes) return name;
  const [extension = ""] = /\.[^.\s]+$/u.exec(name) ?? [];
  const end = Buffer.byteLength(extension) <= maxExtensionBytes ? extension : "";
  let begin = "";
  for (const { segment } of new Intl.Segmenter().segment(name.slice(0, name.length - end.length))) {
    if (Buffer.byteLength(begin + segment + end) > maxBytes) break;
    begin += segment;
  }
  return begin.trimEnd() + end;
}

function makeUnlike(name: string, used: Iterable<string>): string {
  const others = new Set([...used].map(fold));
  if (!others.has(fold(name))) return name;
  const [extension = ""] = /(?<=.)\.[^.]+$/u.exec(name) ?? [];
  const begin = name.slice(0, name.length - extension.length);
  for (let number = 1; ; number += 1) {
    const other = `${begin} (${number})${extension}`;
    if (!others.has(fold(other))) return other;
  }
}

const fold = (name: string): string => name.normalize("NFKC").toLowerCase();
