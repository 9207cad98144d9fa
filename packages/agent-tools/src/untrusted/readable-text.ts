/**
 * Characters that a person doesn't see, and a model reads: tags (U+E0000 to U+E007F), further variation selectors, controls of the direction,
 * zero-width spaces, fillers, soft hyphens, private use, halves of pairs and control characters but tab and line feed. Joiners stay: scripts
 * and emoji need them.
 */
const unseen = new RegExp(
  [
    "[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f]",
    "[\\u00ad\\u061c\\u115f\\u1160\\u180e\\u200b\\u200e\\u200f\\u2028\\u2029\\u202a-\\u202e\\u2060-\\u206f\\u3164\\ufeff\\uffa0\\ufff0-\\ufffb]",
    "\\u034f|[\\u17b4\\u17b5]|[\\u180b-\\u180d\\u180f]|[\\ufe00-\\ufe0d]",
    String.raw`\p{Cs}|\p{Co}|[\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}]|[\u{e0000}-\u{e0fff}]`,
  ].join("|"),
  "gu",
);

/** Runs of joiners, which join nothing. */
const joiners = /[\u200c\u200d]{2,}/gu;

/** Returns text of a page without characters that a person doesn't see, and with line feeds as its only line ends. */
export function toReadableText(text: string): string {
  return text
    .replaceAll(/\r\n?|[\u0085\u2028\u2029]/gu, "\n")
    .replaceAll(unseen, "")
    .replaceAll(joiners, "");
}
