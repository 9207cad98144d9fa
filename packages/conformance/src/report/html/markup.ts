import { html, type raw } from "hono/html";
import { visibleText } from "../visible-text.ts";

/** A piece of HTML in which every value from outside is escaped. */
export type Markup = ReturnType<typeof raw>;

/** Value that may be interpolated into HTML. Strings are shown as text. */
export type MarkupPiece = string | number | null | Markup | readonly MarkupPiece[];

/**
 * Tag of a template literal: escapes each value for HTML and makes its hidden characters visible.
 *
 * Only values made by this tag go in as HTML; so no string can be forgotten. Attribute values must stand in double quotes.
 */
export function markup(fixed: TemplateStringsArray, ...values: readonly MarkupPiece[]): Markup {
  const rendered = html(fixed, ...values.map(show));
  if (rendered instanceof Promise) throw new TypeError("a piece of the report is a promise");
  return rendered;
}

function show(value: MarkupPiece): MarkupPiece {
  if (typeof value === "string") return visibleText(value);
  return Array.isArray(value) ? value.map(show) : value;
}

/** Renders a sentence; words between backticks become code. */
export function prose(text: string): Markup {
  const parts = text.split(/`([^`]+)`/);
  return markup`${parts.map((part, index) => (index % 2 === 1 ? markup`<code>${part}</code>` : part))}`;
}

/** Kind of item that has an anchor in the page. */
export type Anchored = "check" | "requirement" | "exchange";

/** Returns the anchor of an item in the page, which is the same in every run. */
export function anchor(kind: Anchored | "finding", id: string): string {
  return `${kind}.${id.replace(/[^\w-]/g, ".")}`;
}

/** Renders a link to a place in the page, with the id as its text. */
export function idLink(kind: Anchored, id: string): Markup {
  return markup`<a class="id" href="#${anchor(kind, id)}">${id}</a>`;
}

/** Renders links to places in the page, with commas between them. */
export function idLinks(kind: Anchored, ids: readonly string[]): Markup[] {
  return ids.map((id, at) => markup`${at > 0 ? ", " : ""}${idLink(kind, id)}`);
}

/** Renders a row of a list of facts. */
export function fact(name: string, value: Markup | string): Markup {
  return markup`<div><dt>${name}</dt><dd>${value}</dd></div>
`;
}

/** Renders a duration for people: `287 ms`, `4.2 s`, `2 min 5 s`. */
export function durationText(ms: number): string {
  if (ms < 1000) return `${ms} ms`;
  const seconds = ms / 1000;
  if (seconds < 59.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)} min ${whole % 60} s`;
}
