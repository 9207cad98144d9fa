import { namePattern } from "../task/names.ts";
import { splitUrl } from "./variable-values.ts";

/** Name of a variable to the identifier that holds its value in the source. */
export type Identifiers = ReadonlyMap<string, string>;

const placeholder = new RegExp(String.raw`\{\{("\{\{"|${namePattern})\}\}`, "u");

/** Writes a text of a step as an expression. */
export function textSource(text: string, identifiers: Identifiers): string {
  return expression(splitPieces(text, identifiers));
}

/** Writes a URL as an expression: values after the host are percent-encoded. */
export function urlSource(url: string, identifiers: Identifiers): string {
  const { before, behind } = splitUrl(url);
  const encoded = splitPieces(behind, identifiers).map((piece) =>
    "code" in piece ? { code: `encodeURIComponent(${piece.code})` } : piece,
  );
  return expression([...splitPieces(before, identifiers), ...encoded]);
}

/** Writes a selector as an expression: values are escaped for quotes. */
export function selectorSource(selector: string, identifiers: Identifiers): string {
  const pieces = splitPieces(selector, identifiers);
  return expression(pieces.map((piece) => ("code" in piece ? { code: `quotable(${piece.code})` } : piece)));
}

type Piece = { readonly literal: string } | { readonly code: string };

function splitPieces(text: string, identifiers: Identifiers): Piece[] {
  return text.split(placeholder).map((part, index) => {
    if (index % 2 === 0) return { literal: part };
    return part === '"{{"' ? { literal: "{{" } : { code: identifiers.get(part) ?? JSON.stringify(`{{${part}}}`) };
  });
}

function expression(pieces: readonly Piece[]): string {
  const nonEmpty = pieces.filter((piece) => "code" in piece || piece.literal !== "");
  const [only] = nonEmpty;
  if (nonEmpty.length === 1 && only && "code" in only && !only.code.includes("(")) return only.code;
  if (nonEmpty.every((piece) => "literal" in piece))
    return literal(nonEmpty.map((piece) => ("literal" in piece ? piece.literal : "")).join(""));
  return `\`${nonEmpty.map((piece) => ("code" in piece ? `\${${piece.code}}` : inTemplate(piece.literal))).join("")}\``;
}

/** Writes a text as a string literal. */
export function literal(text: string): string {
  return oneLine(JSON.stringify(text));
}

function inTemplate(text: string): string {
  return oneLine(
    JSON.stringify(text)
      .slice(1, -1)
      .replaceAll(String.raw`\"`, '"')
      .replaceAll("`", "\\`")
      .replaceAll("${", "\\${"),
  );
}

/** Escapes line terminators that JSON leaves as they are. */
function oneLine(source: string): string {
  return source.replaceAll("\u2028", String.raw`\u2028`).replaceAll("\u2029", String.raw`\u2029`);
}

/** Escapes source code of several lines for a template literal. */
export function codeInTemplate(code: string): string {
  return code.replaceAll(/[\\`]|\$\{/g, String.raw`\$&`);
}
