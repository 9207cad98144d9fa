import type { Rule } from "./field-table.ts";

/** A form that the contract does not name: the expectation in words, and what is wrong with a value; undefined when it has the form. */
interface Form {
  readonly expected: string;
  readonly findFault: (value: unknown) => string | undefined;
}

function findAddressFault(value: unknown): string | undefined {
  const url = URL.parse(String(value));
  if (!url) return "a string that is not an absolute address";
  if (url.protocol !== "https:" && url.protocol !== "http:") return `an address with the scheme ${url.protocol}`;
  return /^https?:\/\/[^\s/]\S*$/i.test(String(value)) ? undefined : "an address with spaces, or without a host";
}

function findPlaylistFault(value: unknown): string | undefined {
  const firstLine =
    String(value)
      .replace(/^\uFEFF/, "")
      .split(/\r?\n/, 1)[0] ?? "";
  if (firstLine.trimEnd() === "#EXTM3U") return undefined;
  return value === "" ? "an empty string" : "a text whose first line is another";
}

/** Form of each rule of the table that is not about the contract. */
export const forms: Readonly<Record<Extract<Rule, "not-negative" | "http-url" | "hls-playlist">, Form>> = {
  "not-negative": { expected: "0 or more", findFault: (value) => (Number(value) >= 0 ? undefined : String(value)) },
  "http-url": { expected: "an absolute http(s) address", findFault: findAddressFault },
  "hls-playlist": {
    expected: "the text of an HLS playlist, whose first line is #EXTM3U",
    findFault: findPlaylistFault,
  },
};
