import type { MarkdownCase } from "./markdown-case.ts";

const assistive = (symbol: string, display = "inline"): string =>
  `<span class="MJX_Assistive_MathML"><math display="${display}"><mi>${symbol}</mi></math></span>`;
const tex = (text: string, display = "inline"): string => `<span data-flat-math="${display}">${text}</span>`;
const html = (symbol: string): string =>
  `<span class="MathJax"><nobr aria-hidden="true"><span class="math">${symbol}</span></nobr>${assistive(symbol)}</span>`;
const common = (symbol: string): string =>
  `<span class="mjx-chtml MathJax_CHTML"><span class="mjx-math" aria-hidden="true">${symbol}</span>${assistive(symbol)}</span>`;
const drawFormula = (symbol: string): string => `<span class="MathJax_SVG"><svg></svg>${assistive(symbol)}</span>`;
const preview = '<span class="MathJax_Preview">[p]</span>';

/** What MathJax 2 makes of TeX, which it leaves in a script after that. */
export const formulaCases: readonly MarkdownCase[] = [
  ["one of MathJax 2 in HTML is there once", `<p>a ${html("r")}${tex("r")} b</p>`, "a $r$ b"],
  ["one in CommonHTML", `<p>a ${common("q")}${tex("q")} b</p>`, "a $q$ b"],
  ["one as a drawing", `<p>a ${drawFormula("t")}${tex("t")} b</p>`, "a $t$ b"],
  ["one in MathML", `<p><span class="MathJax_MathML"><math><mi>m</mi></math></span>${tex("m")}</p>`, "$m$"],
  [
    "one on a line of its own",
    `<p>a</p><div class="MathJax_Display">${html("u")}</div>${tex("u", "display")}<p>b</p>`,
    "a\n\n$$\nu\n$$\n\nb",
  ],
  [
    "one in CommonHTML on a line of its own",
    `<p>a</p><span class="mjx-chtml MJXc-display">${common("u")}</span>${tex("u", "display")}<p>b</p>`,
    "a\n\n$$\nu\n$$\n\nb",
  ],
  [
    "one as a drawing on a line of its own",
    `<div class="MathJax_SVG_Display">${drawFormula("u")}</div>${tex("u", "display")}`,
    "$$\nu\n$$",
  ],
  ["one with what stood there before", `<p>${preview}${html("v")}${tex("v")}</p>`, "$v$"],
  ["one of which only that is there", `<p>${preview}${tex("v")}</p>`, "$v$"],
  ["two in a row", `<p>${preview}${html("v")}${tex("v")}${preview}${common("w")}${tex("w")}</p>`, "$v$$w$"],
  ["one without TeX is read from its MathML", `<p>a ${html("r")} b</p>`, "a r b"],
  ["one in CommonHTML without TeX, once", `<p>a ${common("q")} b ${drawFormula("t")} c</p>`, "a q b t c"],
  [
    "one on a line of its own without TeX, too",
    `<div>a<div class="MathJax_Display">${html("u")}</div>b</div>`,
    "a\n\nu\n\nb",
  ],
  ["TeX after some words is that of another one", `<p>${html("r")} and ${tex("s")}</p>`, "r and $s$"],
  ["TeX after another one is that of the other", `<p>${html("r")}${common("s")}${tex("s")}</p>`, "r$s$"],
];

const identifiers = (text: string): string =>
  text
    .split("")
    .map((one) => (/\d/.test(one) ? `<mn>${one}</mn>` : `<mi>${one}</mi>`))
    .join("");

/** MathML without TeX: what stands above, below and before something does not become one with it. */
export const symbolCases: readonly MarkdownCase[] = [
  ["a root", `<math><mroot>${identifiers("y3")}</mroot></math>`, "y^(1/3)"],
  [
    "a sum from something to something",
    "<math><munderover><mo>∑</mo><mrow><mi>i</mi><mo>=</mo><mn>1</mn></mrow><mi>n</mi></munderover></math>",
    String.raw`∑\_(i = 1)^n`,
  ],
  [
    "a limit",
    "<math><munder><mo>lim</mo><mrow><mi>n</mi><mo>→</mo><mn>0</mn></mrow></munder></math>",
    String.raw`lim\_(n → 0)`,
  ],
  ["an accent is a part of what it is on", "<math><mover><mi>x</mi><mo>¯</mo></mover></math>", "x¯"],
  ["a number above is none", `<math><mover>${identifiers("x2")}</mover></math>`, "x^2"],
  [
    "what stands before something and behind it",
    `<math><mmultiscripts><mi>C</mi><mn>2</mn><none></none><mprescripts></mprescripts><mn>6</mn><mn>14</mn></mmultiscripts></math>`,
    String.raw`\_6^14C_2`,
  ],
  [
    "the power of several",
    `<math><msup><mrow>${identifiers("ab")}</mrow><mn>2</mn></msup><msup><mrow><mo>(</mo><mi>a</mi><mo>)</mo></mrow><mn>2</mn></msup></math>`,
    "(a b)^2 ( a )^2",
  ],
  [
    "parentheses that only attributes say",
    `<math><mfenced open="[">${identifiers("12")}</mfenced><mo>=</mo><mfenced separators=";"><mi>a</mi><mi>b</mi></mfenced></math>`,
    String.raw`\[1,2) = (a;b)`,
  ],
];
