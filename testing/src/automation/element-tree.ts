/** An element of a page that tests make, or text. */
export type TreeNode = TreeElement | string;

/** An element; tests change it. */
export interface TreeElement {
  tag: string;
  attributes: Record<string, string>;
  children: TreeNode[];
}

/** Makes an element. */
export function h(tag: string, attributes: Record<string, string> = {}, ...children: TreeNode[]): TreeElement {
  return { tag, attributes, children };
}

/** Lists the elements of a tree, each with its parent. */
export function listElements(
  root: TreeElement,
  parent?: TreeElement,
): { element: TreeElement; parent: TreeElement | undefined }[] {
  const inside = root.children.flatMap((child) => (typeof child === "string" ? [] : listElements(child, root)));
  return [{ element: root, parent }, ...inside];
}

/** A tree as HTML. An element with the attribute `shadow` has its content in an open shadow root. */
export function html(node: TreeNode): string {
  if (typeof node === "string") return escapeHtml(node);
  const { shadow, ...attributes } = node.attributes;
  const written = Object.entries(attributes).map(([name, value]) => ` ${name}="${escapeHtml(value)}"`);
  const open = `<${node.tag}${written.join("")}>`;
  if (["input", "br", "hr", "img"].includes(node.tag)) return open;
  const content = node.children.map(html).join("");
  return `${open}${shadow === undefined ? content : `<template shadowrootmode="open">${content}</template>`}</${node.tag}>`;
}

/** Text as HTML. */
export function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
