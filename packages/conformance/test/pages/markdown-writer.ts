/** A small writer of Markdown, in more than one dialect. */
import { isElement, type DomElement, type DomNode } from "./dom.ts";

export interface Dialect {
  headings: "atx" | "setext" | "html";
  bullet: "-" | "*" | "+";
  links: "inline" | "reference" | "html" | "none";
  tables: "pipes" | "html" | "text";
  code: "fenced" | "indented";
  /** Longest line; words are never broken. */
  wrap: number;
  /** True to add soft hyphens to words, and escapes to letters that need none. */
  odd: boolean;
  /** Addresses as the page has them, or absolute. */
  addresses: "absolute" | "as written";
  /** True to drop the text of a link together with its address. */
  dropLinkText: boolean;
}

export const plainDialect: Dialect = {
  headings: "atx",
  bullet: "-",
  links: "inline",
  tables: "pipes",
  code: "fenced",
  wrap: Infinity,
  odd: false,
  addresses: "absolute",
  dropLinkText: false,
};

export interface WriterOptions {
  dialect: Dialect;
  /** Address of the page. */
  page: string;
  links: boolean;
  images: boolean;
  /** Writes what stands in place of an address. */
  placeholder?: (kind: "link" | "image", address: string) => string;
}

const textNode = 3;

export class MarkdownWriter {
  readonly #options: WriterOptions;
  readonly #references: string[] = [];

  constructor(options: WriterOptions) {
    this.#options = options;
  }

  write(root: DomNode): string {
    const text = this.#block(root, "")
      .replace(/\n{3,}/g, "\n\n")
      .trim();
    return [text, ...(this.#references.length > 0 ? [this.#references.join("\n")] : [])].join("\n\n");
  }

  #block(node: DomNode, indent: string): string {
    const { dialect } = this.#options;
    if (node.nodeType === textNode) return this.#text(node);
    if (!isElement(node)) return "";
    const element = node;
    const name = element.tagName.toLowerCase();
    const inside = (): string => [...element.childNodes].map((child) => this.#block(child, indent)).join("");
    if (/^h[1-6]$/.test(name)) return this.#heading(Number(name[1]), inside().trim());
    if (name === "p") return `\n\n${this.#wrapped(inside().trim())}\n\n`;
    if (name === "ul" || name === "ol") return `\n\n${this.#list(element, indent, name === "ol")}\n\n`;
    if (name === "blockquote") return `\n\n> ${inside().trim()}\n\n`;
    if (name === "pre") {
      const code = element.textContent ?? "";
      return dialect.code === "fenced" ? `\n\n\`\`\`js\n${code}\n\`\`\`\n\n` : `\n\n    ${code}\n\n`;
    }
    if (name === "table") return `\n\n${this.#table(element)}\n\n`;
    if (name === "a") return this.#link(element, inside());
    if (name === "img") return this.#image(element);
    if (["script", "style", "svg", "head"].includes(name)) return "";
    return ["nav", "header", "main", "div", "iframe", "footer", "aside", "section", "article", "body"].includes(name)
      ? `\n\n${inside()}\n\n`
      : inside();
  }

  #text(node: DomNode): string {
    const text = (node.textContent ?? "").replace(/\s+/g, " ");
    return this.#options.dialect.odd ? text.replace(/([a-z]{4})(?=[a-z]{3})/g, "$1\u00ad") : text;
  }

  #wrapped(text: string): string {
    let line = "";
    const lines: string[] = [];
    for (const word of text.split(" ")) {
      if (line.length + word.length > this.#options.dialect.wrap) {
        lines.push(line);
        line = "";
      }
      line = line === "" ? word : `${line} ${word}`;
    }
    return [...lines, line].join("\n");
  }

  #heading(level: number, text: string): string {
    const { headings } = this.#options.dialect;
    if (headings === "html") return `\n\n<h${level}>${text}</h${level}>\n\n`;
    if (headings === "atx" || level > 2) return `\n\n${"#".repeat(level)} ${text}\n\n`;
    return `\n\n${text.toUpperCase()}\n${(level === 1 ? "=" : "-").repeat(text.length)}\n\n`;
  }

  #list(list: DomElement, indent: string, ordered: boolean): string {
    return [...list.children]
      .map((item, index) => {
        const mark = ordered ? `${index + 1}.` : this.#options.dialect.bullet;
        const text = [...item.childNodes].map((child) => this.#block(child, `${indent}  `)).join("");
        return `${indent}${mark} ${text.replace(/\n{2,}/g, "\n").trim()}`;
      })
      .join("\n");
  }

  #table(table: DomElement): string {
    const rows = [...table.querySelectorAll("tr")].map((row) =>
      [...row.children].map((cell) => (cell.textContent ?? "").trim()),
    );
    const { tables } = this.#options.dialect;
    if (tables === "html")
      return `<table>${rows.map((row) => `<tr><td>${row.join("</td><td>")}</td></tr>`).join("")}</table>`;
    if (tables === "text") return rows.map((row) => row.join("\t")).join("\n");
    const lines = rows.map((row) => `| ${row.join(" | ")} |`);
    return [lines[0], `|${" --- |".repeat(rows[0]?.length ?? 1)}`, ...lines.slice(1)].join("\n");
  }

  #address(text: string): string {
    const { dialect, page } = this.#options;
    return dialect.addresses === "absolute" ? new URL(text, page).href : text;
  }

  #link(element: DomElement, text: string): string {
    const { dialect, links, placeholder } = this.#options;
    if (!links || dialect.links === "none") return dialect.dropLinkText ? "" : text;
    const address = this.#address(element.getAttribute("href") ?? "");
    if (placeholder) return `[${text}](${placeholder("link", address)})`;
    if (dialect.links === "html") return `<a href="${address.replaceAll("&", "&amp;")}">${text}</a>`;
    if (dialect.links === "inline") return `[${text}](${address})`;
    this.#references.push(`[${this.#references.length + 1}]: <${address}>`);
    return `[${text}][${this.#references.length}]`;
  }

  #image(element: DomElement): string {
    const { images, placeholder } = this.#options;
    if (!images) return "";
    const address = this.#address(element.getAttribute("src") ?? "");
    return `![${element.getAttribute("alt") ?? ""}](${placeholder ? placeholder("image", address) : address})`;
  }
}
