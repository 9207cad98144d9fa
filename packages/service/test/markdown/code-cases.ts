import type { MarkdownCase } from "./markdown-case.ts";

/** A line as Chroma writes it, which Hugo uses. */
const chroma = (number: string, code: string): string =>
  `<span class="line"><span class="ln"${number}</span><span class="cl">${code}\n</span></span>`;

const numbers = '<td class="gutter"><div class="line number1 index0 alt2">1</div><div class="line">2</div></td>';
const lines =
  '<td class="code"><div class="container"><div class="line"><code class="js keyword">var</code> <code class="js plain">x;</code></div><div class="line"><code class="js spaces">&nbsp;&nbsp;</code><code class="js plain">y();</code></div></div></td>';

/** Code as highlighters leave it, with numbers of its lines. */
export const codeCases: readonly MarkdownCase[] = [
  [
    "numbers of Chroma in the line",
    `<pre class="chroma"><code class="language-go">${chroma(">1", "package main")}${chroma(">2", "42")}</code></pre>`,
    "```go\npackage main\n42\n```",
  ],
  [
    "numbers of Chroma that are links",
    `<pre><code>${chroma('><a class="lnlinks" href="#l1">1</a>', "a")}</code></pre>`,
    "```\na\n```",
  ],
  [
    "numbers of Chroma that can't be selected",
    `<pre><code>${chroma(' style="user-select:none"> 9', "a")}${chroma(' style="user-select:none">10', "b")}</code></pre>`,
    "```\na\nb\n```",
  ],
  [
    "numbers that can't be selected, without classes",
    '<pre><code><span style="color:#7f7f7f;-webkit-user-select:none;user-select:none">1</span>a\n<span style="user-select: none">2</span>b</code></pre>',
    "```\na\nb\n```",
  ],
  ["a line that is a number is none of these", '<pre><span class="line hljs-ln-line">42</span></pre>', "```\n42\n```"],
  [
    "numbers of Chroma in a table",
    `<div class="highlight"><div class="chroma"><table class="lntable"><tr><td class="lntd"><pre class="chroma"><code><span class="lnt">1\n</span><span class="lnt">2\n</span></code></pre></td><td class="lntd"><pre class="chroma"><code class="language-go" data-lang="go"><span class="line"><span class="cl">package main\n</span></span><span class="line"><span class="cl">func main\n</span></span></code></pre></td></tr></table></div></div>`,
    "```go\npackage main\nfunc main\n```",
  ],
  [
    "a table of SyntaxHighlighter",
    `<div><div class="syntaxhighlighter  js"><table><tbody><tr>${numbers}${lines}</tr></tbody></table></div></div>`,
    "```js\nvar x;\n  y();\n```",
  ],
  [
    "a table of SyntaxHighlighter, its class further out",
    `<div class="syntaxhighlighter nogutter js"><div><table><tbody><tr>${lines}</tr></tbody></table></div></div>`,
    "```js\nvar x;\n  y();\n```",
  ],
  [
    "a column of codes is no code",
    '<table><tr><th>line<th>code<tr><td class="gutter">1<td class="code">AB<tr><td class="gutter">2<td class="code">CD</table>',
    "| line | code |\n| --- | --- |\n| 1 | AB |\n| 2 | CD |",
  ],
];
