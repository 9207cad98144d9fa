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
  [
    "code that is a block by its style",
    '<p>a</p><code data-flat-display="block" data-flat-space="pre">b\n  c</code><samp data-flat-display="block" data-flat-space="pre">d\ne</samp>',
    "a\n\n```\nb\n  c\n```\n\n```\nd\ne\n```",
  ],
  [
    "code whose lines end with breaks",
    "<p>a <code>b<br>\n&nbsp; c  d<br></code> e</p><ul><li><code>f<br>g</code></li></ul>",
    "a\n\n```\nb\n  c d\n```\n\ne\n\n- ```\n  f\n  g\n  ```",
  ],
  [
    "code with a break in a cell",
    "<table><tr><th>a<th>b<tr><td><code>c<br>d</code><td>e</table>",
    "| a | b |\n| --- | --- |\n| `c`<br>`d` | e |",
  ],
  [
    "numbers of VitePress, beside the code",
    '<div class="language-js line-numbers-mode"><pre><code><span class="line">a</span>\n<span class="line">b</span></code></pre><div class="line-numbers-wrapper" aria-hidden="true"><span class="line-number">1</span><br><span class="line-number">2</span><br></div></div>',
    "```js\na\nb\n```",
  ],
  [
    "numbers of CodeMirror, beside the code",
    '<div><div class="cm-gutters" aria-hidden="true"><div class="cm-gutter cm-lineNumbers"><div class="cm-gutterElement">1</div></div></div><div class="cm-line">a</div></div>',
    "a",
  ],
  [
    "numbers that are hidden from nobody are none of these",
    '<div class="gutter">5</div><div aria-hidden="true">6</div>',
    "5\n\n6",
  ],
  [
    "lines in a grid, between which white space is not drawn",
    '<pre><code data-flat-items="1"><span data-flat-display="block">a();</span>\n<span data-flat-display="block"> </span>\n<span data-flat-display="block">  b();</span>\n</code></pre>',
    "```\na();\n\n  b();\n```",
  ],
  [
    "numbers and lines in two columns of a grid",
    '<pre data-flat-items="2"><i>1 </i><b>a();</b>\n<i>2 </i><b>b();</b></pre>',
    "```\n1 a();\n2 b();\n```",
  ],
  [
    "words in one line of a flex box",
    '<pre data-flat-items="9999"><span data-flat-display="block">const </span>\n<span data-flat-display="block">a</span></pre>',
    "```\nconst a\n```",
  ],
];
