import { namePattern } from "../task/names.ts";
import { splitUrl } from "./variable-values.ts";

/** Name of a variable to the identifier that holds its value in the source. */
export type Identifiers = ReadonlyMap<string, string>;

const placeholder = new RegExp(String.raw`\{\{("\{\{"|${namePattern})\}\}`, "u");

/** Writes a text of a step as an expression. */
export function writeTextExpression(text: string, identifiers: Identifiers): string {
  return writeExpression(splitPieces(text, identifiers));
}

/** Writes a URL as an expression: values after the host are percent-encoded. */
export function writeUrl(url: string, identifiers: Identifiers): string {
  const { before, behind } = splitUrl(url);
  const encoded = splitPieces(behind, identifiers).map((piece) =>
    "code" in piece ? { code: `encodeURIComponent(${piece.code})` } : piece,
  );
  return writeExpression([...splitPieces(before, identifiers), ...encoded]);
}

/** Writes a selector as an expression: values are escaped for quotes. */
export function writeSelector(selector: string, identifiers: Identifiers): string {
  const pieces = splitPieces(selector, identifiers);
  return writeExpression(pieces.map((piece) => ("code" in piece ? { code: `quotable(${piece.code})` } : piece)));
}

type Piece = { readonly text: string } | { readonly code: string };

function splitPieces(text: string, identifiers: Identifiers): Piece[] {
  return text.split(placeholder).map((part, index) => {
    if (index % 2 === 0) return { text: part };
    return part === '"{{"' ? { text: "{{" } : { code: identifiers.get(part) ?? JSON.stringify(`{{${part}}}`) };
  });
}

function writeExpression(pieces: readonly Piece[]): string {
  const nonEmpty = pieces.filter((piece) => "code" in piece || piece.text !== "");
  const [only] = nonEmpty;
  if (nonEmpty.length === 1 && only && "code" in only && !only.code.includes("(")) return only.code;
  if (nonEmpty.every((piece) => "text" in piece))
    return writeLiteral(nonEmpty.map((piece) => ("text" in piece ? piece.text : "")).join(""));
  return `\`${nonEmpty.map((piece) => ("code" in piece ? `\${${piece.code}}` : escapeInTemplate(piece.text))).join("")}\``;
}

/** Writes a text as a string literal. */
export function writeLiteral(text: string): string {
  return escapeLineEnds(JSON.stringify(text));
}

function escapeInTemplate(text: string): string {
  return escapeLineEnds(
    JSON.stringify(text)
      .slice(1, -1)
      .replaceAll(String.raw`\"`, '"')
      .replaceAll("`", "\\`")
      .replaceAll("${", "\\${"),
  );
}

/** Escapes line terminators that JSON leaves as they are. */
function escapeLineEnds(source: string): string {
  return source.replaceAll("\u2028", String.raw`\u2028`).replaceAll("\u2029", String.raw`\u2029`);
}

/** Escapes source code of several lines for a template literal. */
export function escapeCode(code: string): string {
  return code.replaceAll(/[\\`]|\$\{/g, String.raw`\$&`);
}
