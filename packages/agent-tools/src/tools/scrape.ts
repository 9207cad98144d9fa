import { findHeading, readOutline, type Heading } from "../page/outline.ts";
import { splitPages } from "../page/pages.ts";
import { findPassages } from "../page/passages.ts";
import { readPageMarkdown, scrapeHeaders, type PageSelection } from "./read-markdown.ts";
import type { ToolEnvironment } from "./tool-environment.ts";
import { factsSchema, sessionId } from "./schemas.ts";
import { ToolError, type FactValue, type Tool, type ToolArguments, type ToolOutcome } from "./tool.ts";

/** Reads the page of a session. */
export const scrapeTool: Tool = {
  name: "scrape",
  title: "Read the page of a session",
  description:
    "Read a session's current page as Markdown. Long pages come in parts: read on with page, or use outline, then section, or query. response_format extracts data instead.",
  inputSchema: {
    type: "object",
    properties: {
      session_id: sessionId,
      outline: { type: "boolean", description: "headings only" },
      section: { type: "string", description: "number or text of a heading", maxLength: 500 },
      query: { type: "string", description: "words to find passages by", maxLength: 500 },
      page: { type: "integer", minimum: 1, maximum: 100_000, description: "part to read; 1 reads anew" },
      selector: { type: "string", description: "only inside of this element", maxLength: 4_000 },
      only_main_content: { type: "boolean" },
      only_images: { type: "boolean" },
      hidden_text: { type: "boolean", description: "also what nobody sees" },
      response_format: { type: "object", description: "JSON Schema of the data" },
      instructions: { type: "string", description: "what data to extract", maxLength: 4_000 },
    },
    required: ["session_id"],
    additionalProperties: false,
  },
  outputSchema: factsSchema({
    session_id: "string",
    page: "integer",
    pages: "integer",
    next: "string",
    success: "boolean",
  }),
  hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  needsControl: false,
  async run(environment, args, { signal }) {
    if (args.object("response_format") !== undefined || args.text("instructions") !== undefined) {
      return extractData(environment, args, signal);
    }
    const id = args.requiredText("session_id");
    const { markdown, readAtMs, isKept, isVisible } = await readPageMarkdown(environment, id, {
      selection: readSelection(args),
      hasHidden: args.flag("hidden_text"),
      readsOn: (args.number("page") ?? 1) > 1 || args.text("section") !== undefined,
      signal,
    });
    const facts: Record<string, FactValue> = {
      session_id: id,
      hidden_text: isVisible ? "left out" : "may be in it",
      ...(isKept && { read_at: new Date(readAtMs).toISOString() }),
    };
    const size = environment.settings.maxPageChars;
    const query = args.text("query");
    if (query !== undefined)
      return { facts: { ...facts, ...foundBy(query, id) }, ...selectPassages(markdown, query, size) };
    return cutPage(selectPart(markdown, args), size, args, facts);
  },
};

/** Extracts data by a schema or by instructions. */
async function extractData(
  { client, settings }: ToolEnvironment,
  args: ToolArguments,
  signal: AbortSignal,
): Promise<ToolOutcome> {
  const id = args.requiredText("session_id");
  const format = args.object("response_format");
  const instructions = args.text("instructions");
  const request = { ...readSelection(args), ...(instructions !== undefined && { instructions }) };
  const options = { signal, ...scrapeHeaders(args.flag("hidden_text")) };
  const { structured } =
    format === undefined
      ? await client.scrape(id, { ...request, instructions: instructions ?? "" }, options)
      : await client.scrape(id, { ...request, response_format: format }, options);
  if (!structured.success) {
    throw new ToolError(
      "no data could be extracted: compare response_format with the page (scrape without it), or make properties optional",
      structured.reason === "failed" ? structured.error : undefined,
    );
  }
  const data = JSON.stringify(structured.data, undefined, 1) ?? "null";
  return cutPage(data, settings.maxPageChars, args, { session_id: id, success: true });
}

/** Returns the options of the interface that say what of the page is read. */
function readSelection(args: ToolArguments): PageSelection {
  const selector = args.text("selector");
  return {
    ...(selector !== undefined && { selector }),
    ...(args.flag("only_main_content") && { only_main_content: true }),
    ...(args.flag("only_images") && { only_images: true }),
  };
}

function describeOutline(outline: readonly Heading[]): string {
  return outline.map(({ number, title, start, end }) => `${number} ${title} (${end - start} characters)`).join("\n");
}

/** Returns the outline, the Markdown of a section, or all of it. */
function selectPart(markdown: string, args: ToolArguments): string {
  const section = args.text("section");
  if (!args.flag("outline") && section === undefined) return markdown;
  const outline = readOutline(markdown);
  if (section === undefined) return describeOutline(outline);
  const heading = findHeading(outline, section);
  if (heading !== undefined) return markdown.slice(heading.start, heading.end);
  throw new ToolError(
    outline.length === 0
      ? "the page has no headings: read it without section, or with query"
      : "no heading has that number or text: choose one of the outline, or use query",
    describeOutline(outline).slice(0, 2_000),
  );
}

/** Returns the wanted part of a text, and how it is read on. */
function cutPage(
  text: string,
  size: number,
  args: ToolArguments,
  facts: Readonly<Record<string, FactValue>>,
): ToolOutcome {
  const parts = splitPages(text, size);
  const page = args.number("page") ?? 1;
  const part = parts[page - 1];
  if (part === undefined)
    throw new ToolError(`there is no page ${page}: the text has ${parts.length}; page 1 reads it anew`);
  const id = args.requiredText("session_id");
  const more = page < parts.length;
  return {
    facts: {
      ...facts,
      page,
      pages: parts.length,
      ...(more && {
        next: `the same call with "page":${page + 1}${page === 1 ? ', or "outline":true, or "query"' : ""}`,
      }),
      ...(text.trim() === "" && {
        next: "nothing is there: the page may still load; scrape again, or without selector",
      }),
    },
    pageText: part,
    ...(more && {
      resources: {
        [`cloud-browser://sessions/${encodeURIComponent(id)}/markdown/1`]: "the whole page, in longer parts",
      },
    }),
  };
}

function foundBy(query: string, id: string): Readonly<Record<string, FactValue>> {
  return {
    query: query.slice(0, 100),
    next: `a passage in full: scrape {"session_id":"${id}","section":"<its number>"}`,
  };
}

function selectPassages(markdown: string, query: string, size: number): { readonly pageText: string } {
  const passages = findPassages(markdown, query, size);
  if (passages.length === 0) {
    throw new ToolError("no passage has a word of the query: try other words, or outline");
  }
  return { pageText: passages.map(({ under, text }) => `${under === "" ? "" : `[${under}]\n`}${text}`).join("\n\n") };
}
