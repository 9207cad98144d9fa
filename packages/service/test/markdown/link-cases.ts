import type { MarkdownCase } from "./markdown-case.ts";

/** Links and images. */
export const linkCases: readonly MarkdownCase[] = [
  ["a link", '<p><a href="http://x/">a</a></p>', "[a](http://x/)"],
  ["a link with a title", '<p><a href="http://x/" title=\'t "u"\'>a</a></p>', String.raw`[a](http://x/ "t \"u\"")`],
  ["a link without an address is text", "<p><a>a</a></p>", "a"],
  ["a link that runs a script is text", '<p><a href="javascript:void(0)">a</a></p>', "a"],
  ["a link for mail", '<p><a href="mailto:a@b.c">a</a></p>', "[a](mailto:a@b.c)"],
  ["links side by side", '<p><a href="http://x/">a</a><a href="http://y/">b</a></p>', "[a](http://x/)[b](http://y/)"],
  ["white space moves out of a link", '<p>a<a href="http://x/"> b </a>c</p>', "a [b](http://x/) c"],
  ["strong within a link", '<p><a href="http://x/"><b>a</b></a></p>', "[**a**](http://x/)"],
  ["a link within strong", '<p><b><a href="http://x/">a</a></b></p>', "**[a](http://x/)**"],
  ["brackets within a link are escaped", '<p><a href="http://x/">[1]</a></p>', String.raw`[\[1\]](http://x/)`],
  ["parentheses in an address that match stay", '<p><a href="http://x/a_(b)">a</a></p>', "[a](http://x/a_(b))"],
  [
    "parentheses in an address that don't are escaped",
    '<p><a href="http://x/a)">a</a></p>',
    String.raw`[a](http://x/a\))`,
  ],
  ["white space in an address is encoded", '<p><a href="http://x/a b">a</a></p>', "[a](http://x/a%20b)"],
  [
    "a link without text takes its label",
    '<p><a href="http://x/" aria-label="Home"><svg></svg></a></p>',
    "[Home](http://x/)",
  ],
  ["a link without text takes its title", '<p><a href="http://x/" title="Home"></a></p>', '[Home](http://x/ "Home")'],
  [
    "a link without any takes the last part of its address",
    '<p><a href="http://x/a/some-page/?q#f"></a></p>',
    "[some-page](http://x/a/some-page/)".replace("/)", "/?q#f)"),
  ],
  ["or the host", '<p><a href="http://example.com/"></a></p>', "[example.com](http://example.com/)"],
  [
    "a link around a card belongs to its heading",
    '<a href="http://x/"><img src="http://x/i.png" alt="i"><h3>a</h3><p>b</p></a>',
    "![i](http://x/i.png)\n\n### [a](http://x/)\n\nb",
  ],
  [
    "a link around paragraphs belongs to the first",
    '<a href="http://x/"><div>a</div><div>b</div></a>',
    "[a](http://x/)\n\nb",
  ],
  ["a link in a heading", '<h2><a href="http://x/">a</a> b</h2>', "## [a](http://x/) b"],
  ["an image", '<p><img src="http://x/a.png" alt="b"></p>', "![b](http://x/a.png)"],
  ["an image with a title", '<p><img src="http://x/a.png" alt="b" title="c"></p>', '![b](http://x/a.png "c")'],
  ["an image without words", '<p><img src="http://x/a.png"></p>', "![](http://x/a.png)"],
  [
    "an image in a link",
    '<p><a href="http://x/"><img src="http://x/a.png" alt="b"></a></p>',
    "[![b](http://x/a.png)](http://x/)",
  ],
  [
    "brackets in the words of an image are escaped",
    '<p><img src="http://x/a.png" alt="[b]"></p>',
    String.raw`![\[b\]](http://x/a.png)`,
  ],
  [
    "an image that is its own address and long is left out",
    `<p>a<img src="data:image/png;base64,${"A".repeat(500)}" alt="b"></p>`,
    "a",
  ],
  [
    "images are left out when they are not wanted",
    '<p>a <img src="http://x/a.png" alt="b"></p>',
    "a",
    { images: false },
  ],
  [
    "a link around an image then takes its words",
    '<p><a href="http://x/"><img src="http://x/a.png" alt="b"></a></p>',
    "[b](http://x/)",
    { images: false },
  ],
  ["links keep their text when they are not wanted", '<p>a <a href="http://x/">b</a></p>', "a b", { links: false }],
  [
    "placeholders stand for addresses",
    '<p><a href="http://x/">a</a> <img src="http://x/a.png" alt="i"> <a href="http://y/">b</a></p>',
    "[a](link1) ![i](img1) [b](link2)",
    { placeholders: true },
  ],
  [
    "the same address has the same placeholder",
    '<p><a href="http://x/">a</a> <a href="http://y/">b</a> <a href="http://x/">c</a></p>',
    "[a](link1) [b](link2) [c](link1)",
    { placeholders: true },
  ],
];
