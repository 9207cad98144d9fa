import DOMPurify from "dompurify";
import { marked } from "marked";

/** Elements that Markdown makes. Nothing else of a page comes through: no style, form, frame, script or picture. */
const allowed = [
  "a",
  "blockquote",
  "br",
  "code",
  "del",
  "em",
  "h1",
  "h2",
  "h3",
  "h4",
  "h5",
  "h6",
  "hr",
  "li",
  "ol",
  "p",
  "pre",
  "strong",
  "sub",
  "sup",
  "table",
  "tbody",
  "td",
  "th",
  "thead",
  "tr",
  "ul",
];

/**
 * Renders untrusted Markdown of a page. Links open in a new tab, without a referrer; images become their descriptions.
 */
export function renderPageMarkdown(text: string): DocumentFragment {
  const renderer = new marked.Renderer();
  renderer.image = ({ text: description }) => `<em>[image: ${escapeHtml(description || "without description")}]</em>`;
  const html = marked.parse(text, { async: false, gfm: true, renderer });
  const fragment = DOMPurify.sanitize(html, {
    ALLOWED_TAGS: allowed,
    ALLOWED_ATTR: ["href", "start", "colspan", "rowspan"],
    ALLOWED_URI_REGEXP: /^https?:/i,
    RETURN_DOM_FRAGMENT: true,
  });
  for (const link of fragment.querySelectorAll("a")) {
    link.target = "_blank";
    link.rel = "noopener noreferrer";
  }
  return fragment;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
