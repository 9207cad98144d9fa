import { splitUrl } from "./variable-values.ts";

/** Name of a variable to the identifier that holds its value in the source. */
export type Identifiers = ReadonlyMap<string, string>;

const placeholder = /\{\{("\{\{"|[A-Za-z_]\w*)\}\}/;

/** A text of a step as an expression of TypeScript. */
export function textSource(text: string, identifiers: Identifiers): string {
  return expression(piecesOf(text, identifiers));
}

/** An address as an expression of TypeScript: values are encoded behind the host. */
export function urlSource(url: string, identifiers: Identifiers): string {
  const { before, behind } = splitUrl(url);
  const encoded = piecesOf(behind, identifiers).map((piece) =>
    "code" in piece ? { code: `encodeURIComponent(${piece.code})` } : piece,
  );
  return expression([...piecesOf(before, identifiers), ...encoded]);
}

/** A selector as an expression of TypeScript: values stand within quotes there. */
export function selectorSource(selector: string, identifiers: Identifiers): string {
  const pieces = piecesOf(selector, identifiers);
  return expression(pieces.map((piece) => ("code" in piece ? { code: `quotable(${piece.code})` } : piece)));
}

type Piece = { readonly literal: string } | { readonly code: string };

function piecesOf(text: string, identifiers: Identifiers): Piece[] {
  return text.split(placeholder).map((part, index) => {
    if (index % 2 === 0) return { literal: part };
    return part === '"{{"' ? { literal: "{{" } : { code: identifiers.get(part) ?? JSON.stringify(`{{${part}}}`) };
  });
}

function expression(pieces: readonly Piece[]): string {
  const told = pieces.filter((piece) => "code" in piece || piece.literal !== "");
  const [only] = told;
  if (told.length === 1 && only && "code" in only && !only.code.includes("(")) return only.code;
  if (told.every((piece) => "literal" in piece))
    return literal(told.map((piece) => ("literal" in piece ? piece.literal : "")).join(""));
  return `\`${told.map((piece) => ("code" in piece ? `\${${piece.code}}` : inTemplate(piece.literal))).join("")}\``;
}

/** A text as a literal of TypeScript. */
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

/** Line ends that JSON leaves as they are. */
function oneLine(source: string): string {
  return source.replaceAll("\u2028", String.raw`\u2028`).replaceAll("\u2029", String.raw`\u2029`);
}
