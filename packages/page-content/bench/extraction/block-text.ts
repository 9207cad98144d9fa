const inlineTags = new Set(
  "a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark nobr q rp rt ruby s samp small span strike strong sub sup time tt u var wbr".split(
    " ",
  ),
);
const silentTags = new Set(
  "script style noscript template head title select option datalist textarea iframe svg math".split(" "),
);

/** The text of an element, with a line break where a block begins or ends. */
export function getBlockText(root: Node): string {
  const parts: string[] = [];
  const visit = (node: Node): void => {
    if (node.nodeType === 3) parts.push(node.nodeValue ?? "");
    if (node.nodeType !== 1) return;
    const tag = node.nodeName.toLowerCase();
    if (silentTags.has(tag)) return;
    const isBlock = !inlineTags.has(tag);
    if (isBlock) parts.push("\n");
    for (let child = node.firstChild; child !== null; child = child.nextSibling) visit(child);
    if (isBlock) parts.push("\n");
  };
  visit(root);
  return parts.join("");
}
