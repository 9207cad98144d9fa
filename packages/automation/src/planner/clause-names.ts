import { maskText } from "./limits.ts";
import { Quotations } from "./quotations.ts";

/** Words for elements, by role. */
const roles: ReadonlyMap<string, string> = new Map([
  ["button", "button"],
  ["link", "link"],
  ["tab", "tab"],
  ["checkbox", "checkbox"],
  ["radio", "radio"],
  ["radio button", "radio"],
  ["menu item", "menuitem"],
  ["menu", "button"],
  ["option", "option"],
  ["icon", "button"],
  ["heading", "heading"],
]);

const roleWords = [...roles.keys()].sort((a, b) => b.length - a.length).join("|");
const fieldWords = "field|box|input|textbox|text box|text field|search box|dropdown|drop-down|list|menu|select";
const fileWords = "file input|file field|file chooser|upload field|drop zone|dropzone|drop area|upload area";
/** Pattern between the word for an element and its quoted name: "the button called". */
const namedBy = String.raw`(?:(?:named|called|labell?ed)\s)?(?=\u{F0000})`;

/** Reads the name of an element and, if the text says it, its role: "the Save button". */
export function readRoleAndName(text = ""): { readonly name: string; readonly role?: string } {
  const [, after, before] =
    new RegExp(String.raw`\s(${roleWords})$|^(?:(?:the|a|an)\s)?(${roleWords})\s${namedBy}`, "iu").exec(
      maskText(text),
    ) ?? [];
  const role = roles.get((after ?? before ?? "").toLowerCase());
  return { name: readPartName(text), ...(role === undefined ? {} : { role }) };
}

/** Removes the quotation marks around a text. */
export function unquote(text = ""): string {
  return text.trim().replace(/^["“„«'](.*)["”“»']$/su, "$1");
}

/** Returns the name of an element, without article, word for its role and quotation marks. */
export function readPartName(text = ""): string {
  return unquote(dropRole(text));
}

/** Returns the name of a field, without article, word for a field and quotation marks. */
export function readFieldName(text = ""): string {
  return unquote(dropFieldWord(text));
}

/** Drops the article and the word for an element around its name. */
export function dropRole(text = ""): string {
  return dropWords(text, roleWords);
}

/** Drops the article and the word for a field around its name. */
export function dropFieldWord(text = ""): string {
  return dropWords(text, fieldWords);
}

/** Drops the article and the word for a file input, or for what opens a file chooser, around its name. */
export function dropFileWord(text = ""): string {
  return dropWords(text, `${fileWords}|${fieldWords}|button|link|area|zone|label`);
}

function dropWords(text: string, words: string): string {
  const quotations = new Quotations();
  const bare = quotations
    .maskQuotations(text)
    .trim()
    .replace(/^(?:the|a|an)\s+/iu, "")
    .replace(new RegExp(String.raw`^(?:${words})\s${namedBy}`, "iu"), "")
    .replace(new RegExp(String.raw`\s(?:${words})$`, "iu"), "");
  return quotations.restore(bare);
}
