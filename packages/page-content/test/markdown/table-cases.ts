import type { MarkdownCase } from "./markdown-case.ts";

/** Tables, those that hold data and those that don't. */
export const tableCases: readonly MarkdownCase[] = [
  [
    "a table with a head",
    "<table><thead><tr><th>a<th>b</thead><tbody><tr><td>1<td>2</tbody></table>",
    "| a | b |\n| --- | --- |\n| 1 | 2 |",
  ],
  ["a head without its element", "<table><tr><th>a<th>b<tr><td>1<td>2</table>", "| a | b |\n| --- | --- |\n| 1 | 2 |"],
  [
    "a head by its looks",
    "<table><tr><td>Name<td>Age<tr><td>Ann<td>31<tr><td>Bob<td>27</table>",
    "| Name | Age |\n| --- | --- |\n| Ann | 31 |\n| Bob | 27 |",
  ],
  [
    "a table without a head has an empty one",
    "<table><tr><td>1<td>2<tr><td>3<td>4</table>",
    "|  |  |\n| --- | --- |\n| 1 | 2 |\n| 3 | 4 |",
  ],
  [
    "names of rows are no head",
    "<table><tr><th>a<td>1<tr><th>b<td>2</table>",
    "|  |  |\n| --- | --- |\n| a | 1 |\n| b | 2 |",
  ],
  [
    "the foot comes last",
    "<table><tfoot><tr><td>s<td>3</tfoot><thead><tr><th>a<th>b</thead><tbody><tr><td>1<td>2</tbody></table>",
    "| a | b |\n| --- | --- |\n| 1 | 2 |\n| s | 3 |",
  ],
  [
    "columns are aligned",
    '<table><tr><th align="right">a<th style="text-align: center">b<th align="left">c<tr><td>1<td>2<td>3</table>',
    "| a | b | c |\n| --: | :-: | :-- |\n| 1 | 2 | 3 |",
  ],
  [
    "a bar in a cell is escaped",
    "<table><tr><th>a<th>b<tr><td>x|y<td><code>p|q</code></table>",
    "| a | b |\n| --- | --- |\n| x\\|y | `p\\|q` |",
  ],
  [
    "a cell over two columns leaves the second empty",
    '<table><tr><th>a<th>b<th>c<tr><td colspan="2">1<td>2</table>',
    "| a | b | c |\n| --- | --- | --- |\n| 1 |  | 2 |",
  ],
  [
    "a cell over two rows is said in both",
    '<table><tr><th>a<th>b<tr><td rowspan="2">1<td>2<tr><td>3</table>',
    "| a | b |\n| --- | --- |\n| 1 | 2 |\n| 1 | 3 |",
  ],
  [
    "a cell over all rows of its part of the table is said in each",
    '<table><thead><tr><th>a<th>b</thead><tbody><tr><td rowspan="0">1<td>2<tr><td>3<tr><td>4</tbody><tbody><tr><td>5<td>6</tbody></table>',
    "| a | b |\n| --- | --- |\n| 1 | 2 |\n| 1 | 3 |\n| 1 | 4 |\n| 5 | 6 |",
  ],
  [
    "a cell ends with its part of the table, whatever it says",
    '<table><tbody><tr><th>a<th>b<tr><td rowspan="9">1<td>2</tbody><tbody><tr><td>3<td>4</tbody></table>',
    "| a | b |\n| --- | --- |\n| 1 | 2 |\n| 3 | 4 |",
  ],
  [
    "a line end in a cell",
    "<table><tr><th>a<th>b<tr><td>x<br>y<td>2</table>",
    "| a | b |\n| --- | --- |\n| x<br>y | 2 |",
  ],
  [
    "paragraphs and lists in a cell",
    "<table><tr><th>a<th>b<tr><td><p>x</p><p>y</p><td><ul><li>1<li>2</ul></table>",
    "| a | b |\n| --- | --- |\n| x<br>y | 1<br>2 |",
  ],
  [
    "a heading in a cell is text",
    "<table><tr><th>a<th>b<tr><td><h4>x</h4><td>2</table>",
    "| a | b |\n| --- | --- |\n| x | 2 |",
  ],
  [
    "code in a cell",
    "<table><tr><th>a<th>b<tr><td><pre>x\ny</pre><td>2</table>",
    "| a | b |\n| --- | --- |\n| `x`<br>`y` | 2 |",
  ],
  [
    "links and marks in a cell",
    '<table><tr><th>a<th>b<tr><td><a href="http://x/">x</a><td><b>2</b></table>',
    "| a | b |\n| --- | --- |\n| [x](http://x/) | **2** |",
  ],
  [
    "a table in a cell of data is lines",
    "<table><tr><th>a<th>b<tr><td><table><tr><td>1<td>2<tr><td>3<td>4</table><td>z</table>",
    "| a | b |\n| --- | --- |\n| 1 2<br>3 4 | z |",
  ],
  [
    "the caption stands before",
    "<table><caption>c</caption><tr><th>a<th>b<tr><td>1<td>2</table>",
    "c\n\n| a | b |\n| --- | --- |\n| 1 | 2 |",
  ],
  [
    "empty rows are left out",
    "<table><tr><th>a<th>b<tr><td><td> <tr><td>1<td>2</table>",
    "| a | b |\n| --- | --- |\n| 1 | 2 |",
  ],
  [
    "columns that nothing is in are left out",
    "<table><tr><th>a<th>b<th><tr><td>1<td>2<td></table>",
    "| a | b |\n| --- | --- |\n| 1 | 2 |",
  ],
  ["an empty table is nothing", "<table><tr><td><td></table><p>a</p>", "a"],
  ["one column is no table", "<table><tr><td>a<tr><td>b</table>", "a\n\nb"],
  ["one row is no table", "<table><tr><td>a<td>b</table>", "a b"],
  ["a table for looks is no table", '<table role="presentation"><tr><td>a<td>b<tr><td>c<td>d</table>', "a b\n\nc d"],
  [
    "a table around tables is no table",
    "<table><tr><td>x<td><table><tr><th>a<th>b<tr><td>1<td>2</table></table>",
    "x\n\n| a | b |\n| --- | --- |\n| 1 | 2 |",
  ],
  ["a table around headings is no table", "<table><tr><td><h2>a</h2><td>b<tr><td>c<td>d</table>", "## a\n\nb\n\nc d"],
  [
    "a table by roles",
    '<div role="table"><div role="row"><span role="columnheader">a</span><span role="columnheader">b</span></div><div role="row"><span role="cell">1</span><span role="cell">2</span></div></div>',
    "| a | b |\n| --- | --- |\n| 1 | 2 |",
  ],
  [
    "a tree grid whose rows and cells are wrapped",
    '<div role="treegrid"><div><div role="rowgroup"><div role="row"><div><b role="columnheader">a</b></div><div><b role="columnheader">b</b></div></div></div></div><section><div role="row"><div><i role="gridcell">1</i></div><p><i role="gridcell">2</i></p></div></section></div>',
    "| a | b |\n| --- | --- |\n| 1 | 2 |",
  ],
  [
    "a table by roles that has more than its cells is written as what it is",
    '<div role="table"><p>Before</p><div role="row"><span role="cell">1</span> <span role="cell">2</span></div><div role="row">loose <span role="cell">3</span></div></div>',
    "Before\n\n1 2\n\nloose 3",
  ],
  [
    "a row by roles with something beside its cells loses nothing",
    '<div role="grid"><div role="row"><span role="gridcell">1</span> <a href="/x">open</a></div><div role="row"><span role="gridcell">2</span> <img src="/i.png" alt="boat"></div></div>',
    "1 [open](/x)\n\n2 ![boat](/i.png)",
  ],
  ["a table by roles without rows loses nothing", '<div role="table"><div>one</div>two</div>', "one\n\ntwo"],
  [
    "what scripts put around the rows of a table is kept",
    "<table><thead>a<tr><th>1</th><th>2</th></tr></thead><tbody><tr><td>3</td><td>4</td></tr></tbody><div>b</div></table>",
    "a\n\n| 1 | 2 |\n| --- | --- |\n| 3 | 4 |\n\nb",
  ],
  [
    "a table with something beside its cells, as scripts make them, loses nothing",
    "<table><tr><td>1</td><div>b</div><td>2</td></tr><tr><td>3</td><td>4</td></tr></table>",
    "1\n\nb\n\n2\n\n3\n\n4",
  ],
  [
    "hidden rows are left out",
    '<table><tr><th>a<th>b<tr data-flat-hidden="display"><td>x<td>y<tr><td>1<td>2</table>',
    "| a | b |\n| --- | --- |\n| 1 | 2 |",
  ],
  [
    "a span of a thousand columns adds none",
    '<table><tr><th colspan="1000">a<th>b<tr><td>1<td>2</table>',
    "| a |  | b |\n| --- | --- | --- |\n| 1 | 2 |",
  ],
  [
    "a table in a list",
    "<ul><li>x<table><tr><th>a<th>b<tr><td>1<td>2</table></li></ul>",
    "- x\n\n  | a | b |\n  | --- | --- |\n  | 1 | 2 |",
  ],
];
