/** A number from 0 up to a bound, the same for the same seed. */
type Dice = (bound: number) => number;

/** A document of nested elements with numbered words in it (`w1q`, `w2q`, …), the same for the same seed. */
export function randomHtml(seed: number): string {
  let state = seed * 2_654_435_761;
  const dice: Dice = (bound) => {
    state = Math.imul(state ^ (state >>> 15), 2_246_822_519) + 0x9e3779b9;
    return ((state ^ (state >>> 13)) >>> 0) % bound;
  };
  let words = 0;
  const word = (): string => {
    words += 1;
    return `w${words}q`;
  };
  const inlineTags = ["b", "i", "em", "strong", "span", "a", "code", "u", "del", "sup", "q", "kbd"] as const;
  const signs = [
    " ",
    " ",
    "",
    "\n ",
    ": ",
    "*",
    "_",
    " - ",
    ". ",
    "1. ",
    "# ",
    "[",
    "](",
    "&lt;",
    "`",
    "|",
    "&amp;",
    "\\",
    "!",
    "<br>",
  ] as const;
  const blockTags = [
    "p",
    "div",
    "h2",
    "ul",
    "ol",
    "blockquote",
    "table",
    "pre",
    "section",
    "dl",
    "details",
    "a",
    "figure",
    "role",
    "grid",
  ] as const;
  const roles = [
    "heading",
    "list",
    "listitem",
    "table",
    "grid",
    "treegrid",
    "rowgroup",
    "row",
    "cell",
    "columnheader",
    "none",
  ] as const;
  const pick = <Value>(from: readonly [Value, ...Value[]]): Value => from[dice(from.length)] ?? from[0];

  const inline = (depth: number): string =>
    Array.from({ length: 1 + dice(4) }, () => {
      if (depth <= 0 || dice(3) > 0) return word() + pick(signs);
      const tag = pick(inlineTags);
      return `<${tag}${tag === "a" ? ' href="http://x/"' : ""}>${inline(tag === "a" ? 0 : depth - 1)}</${tag}>${pick(signs)}`;
    }).join("");

  const some = (make: () => string): string => Array.from({ length: 1 + dice(3) }, make).join("");

  /** What stands where the language has no place for it: scripts put it there. */
  const loose = (): string => (dice(8) > 0 ? "" : dice(2) === 0 ? inline(1) : `<div>${inline(1)}</div>`);
  const wrapped = (html: string): string => (dice(3) === 0 ? `<div>${dice(4) === 0 ? word() : ""}${html}</div>` : html);

  const block = (depth: number): string => {
    if (depth <= 0) return inline(2);
    const inner = (): string =>
      Array.from({ length: 1 + dice(3) }, () => (dice(4) === 0 ? inline(2) : block(depth - 1))).join("");
    const tag = pick(blockTags);
    switch (tag) {
      case "p":
      case "h2":
        return `<${tag}>${inline(2)}</${tag}>`;
      case "pre":
        return `<pre>${word()}\n${word()}</pre>`;
      case "ul":
      case "ol":
        return `<${tag}>${some(() => `${loose()}<li>${inner()}</li>`)}${loose()}</${tag}>`;
      case "table":
        return `<table>${some(() => `${loose()}<tr>${some(() => `${loose()}<td>${dice(2) === 0 ? inner() : inline(1)}</td>`)}</tr>`)}</table>`;
      case "dl":
        return `<dl>${some(() => `${loose()}<dt>${inline(1)}</dt><dd>${inner()}</dd>`)}</dl>`;
      case "details":
        return `<details><summary>${inline(1)}</summary>${inner()}</details>`;
      case "a":
        return `<a href="http://x/">${inline(1)}</a>`;
      case "role":
        return `<div role="${pick(roles)}">${dice(3) === 0 ? inline(1) : some(inner)}</div>`;
      case "grid":
        return `<div role="grid">${some(() => wrapped(`<div role="row">${some(() => wrapped(`<span role="gridcell">${inner()}</span>`))}</div>`))}</div>`;
      case "blockquote":
      case "div":
      case "figure":
      case "section":
        return `<${tag}>${inner()}</${tag}>`;
    }
  };
  return Array.from({ length: 1 + dice(4) }, () => block(1 + dice(4))).join("");
}
