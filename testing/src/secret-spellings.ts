/** Spelling of a secret. */
export interface SpelledSecret {
  /** The secret itself. */
  readonly secret: string;
  /** Name of the spelling. */
  readonly spelling: string;
  /** The text that holds it. */
  readonly text: string;
  /** The part of the text that the secret alone decides. */
  readonly core: string;
}

/** Secrets with characters that writers escape: of URLs, JSON, HTML and forms, beyond ASCII, and none. */
const secrets: readonly string[] = [
  "plain0123token",
  "K3y/of+the=owner",
  'q"u\\o7e-mark',
  "two words 42",
  "p&q=r'<s>7",
  "Grüße/é+1=ü",
  "emoji😀key/1",
  "a%2Bb~c_d!e*9",
];

const unitEscape = (unit: string): string => String.raw`\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
const upperEscape = (unit: string): string => unitEscape(unit).replace(/[\da-f]{4}/, (digits) => digits.toUpperCase());
const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);
const lowerPercent = (text: string): string => text.replace(/%[\dA-F]{2}/g, (code) => code.toLowerCase());
const getCodePoint = (character: string): number => character.codePointAt(0) ?? 0;
const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const inHtml = (text: string): string =>
  text.replace(/[&<>"]/g, (character) => entities[character] ?? "").replaceAll("'", "&#39;");
const units = (text: string): readonly string[] => Array.from({ length: text.length }, (_, at) => text.charAt(at));

/** Ways to write a text as a part of a string of JSON, each of which a program has. */
export const jsonWriters: Readonly<Record<string, (text: string) => string>> = {
  "JSON of JavaScript": inJson,
  "JSON in ASCII": (text) => inJson(text).replace(/[^\0-~]/g, unitEscape),
  "JSON of .NET": (text) => inJson(text).replace(/[^\0-~]|[+&'<>`]/g, upperEscape),
  "JSON of Gson": (text) => inJson(text).replace(/[=&'<>]/g, unitEscape),
  "JSON of Go": (text) => inJson(text).replace(/[&<>]/g, unitEscape),
  "JSON of PHP": (text) =>
    inJson(text)
      .replaceAll("/", String.raw`\/`)
      .replace(/[^\0-~]/g, unitEscape),
  "JSON, all escaped": (text) => units(text).map(unitEscape).join(""),
  "JSON, every second unit escaped": (text) =>
    units(text)
      .map((unit, at) => (at % 2 ? upperEscape(unit) : inJson(unit)))
      .join(""),
};

/** Ways to write a text: as JSON, in a URL, a form and HTML, and some of them within each other. */
const spellings: Readonly<Record<string, (text: string) => string>> = {
  "as it is": (text) => text,
  ...jsonWriters,
  "JSON in JSON": (text) => inJson(inJson(text)),
  "JSON of .NET in JSON": (text) => inJson(inJson(text).replace(/[^\0-~]|[+&'<>`]/g, upperEscape)),
  "a part of a URL": encodeURIComponent,
  "a part of a URL, in small letters": (text) => lowerPercent(encodeURIComponent(text)),
  "a part of a URL of a part of a URL": (text) => encodeURIComponent(encodeURIComponent(text)),
  "a URL": encodeURI,
  "a form": (text) => new URLSearchParams([["", text]]).toString().slice(1),
  "each byte percent-encoded": encodeEachByte,
  "JSON in a URL": (text) => encodeURIComponent(inJson(text)),
  "a part of a URL in JSON of .NET": (text) => encodeURIComponent(text).replace(/[+&'<>`]/g, upperEscape),
  HTML: inHtml,
  "HTML, decimal": (text) => Array.from(text, (character) => `&#${getCodePoint(character)};`).join(""),
  "HTML, hexadecimal": (text) =>
    Array.from(text, (character) => `&#x${getCodePoint(character).toString(16)};`).join(""),
  "HTML of what is no letter, in capitals": (text) =>
    text.replace(/[^\w ]/gu, (character) => `&#X${getCodePoint(character).toString(16).toUpperCase()};`),
  "HTML in JSON of .NET": (text) => inJson(inHtml(text)).replace(/[+&'<>`]/g, upperEscape),
};

/** Ways to write bytes, with the part that the secret alone decides where something stands before it. */
const base64 = (text: string, before: string): Pick<SpelledSecret, "text" | "core"> => {
  const bits = 8 * Buffer.byteLength(before);
  const whole = Buffer.from(before + text).toString("base64");
  const end = Math.floor((bits + 8 * Buffer.byteLength(text)) / 6);
  return { text: whole, core: whole.slice(Math.ceil(bits / 6), end) };
};
const urlSafe = (text: string): string => text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");

/** All secrets, in all spellings. */
export const spelledSecrets: readonly SpelledSecret[] = secrets.flatMap(spellSecret);

/** The same texts, truncated after two thirds and before the last character. */
export const cutSecrets: readonly SpelledSecret[] = spelledSecrets.flatMap(({ secret, spelling, text, core }) =>
  [Math.floor((2 * text.length) / 3), text.length - 1].map((end) => ({
    secret,
    spelling,
    text: text.slice(0, end),
    core,
  })),
);

function encodeEachByte(text: string): string {
  return Array.from(new TextEncoder().encode(text), (byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");
}

function spellSecret(secret: string): readonly SpelledSecret[] {
  const texts = Object.entries(spellings).map(([spelling, write]): [string, string] => [spelling, write(secret)]);
  const hex = Buffer.from(secret).toString("hex");
  texts.push(["hex", hex], ["hex, in capitals", hex.toUpperCase()]);
  const whole = texts.map(([spelling, text]) => ({ secret, spelling, text, core: text }));
  const bytes = encodeEachByte(secret);
  whole.push({
    secret,
    spelling: "each byte percent-encoded, between bytes that are not UTF-8",
    text: `%E9${bytes}%E9`,
    core: bytes,
  });
  const parts = ["", "u", "me", "me:"].flatMap((before) => {
    const { text, core } = base64(secret, before);
    return [
      { secret, spelling: `base64 after "${before}"`, text, core },
      { secret, spelling: `base64 of URLs after "${before}"`, text: urlSafe(text), core: urlSafe(core) },
    ];
  });
  return [...whole, ...parts];
}

/** Returns the first piece of six characters of a secret that a text still shows; `undefined` when it shows none. */
export function findSecretPiece({ core }: SpelledSecret, output: string): string | undefined {
  for (let at = 0; at + 6 <= core.length; at += 1) {
    const piece = core.slice(at, at + 6);
    if (output.includes(piece)) return piece;
  }
  return undefined;
}
