import type { Locator, Page } from "playwright-core";
import { extractStructured, PageScraper } from "@cloud-browser/page-content";
import { StepError } from "../automation-error.ts";
import type { ExtractionKind } from "../task/step.ts";
import { fillIn } from "../task/template.ts";
import type { PageReading } from "./things/page-ask.ts";
import { readThings } from "./things/read-things.ts";
import { readShownData } from "./shown-data.ts";
import { dropMore } from "./says-more.ts";
import { readElements } from "./page-elements.ts";
import { readLinksAt, readListAt } from "./read-lists.ts";
import { readTableAt, readPageTable, type PageTable } from "./extract-tables.ts";
import type { StepContext } from "../page/step-context.ts";

/** A part of a page that something is read from. */
export interface PagePart {
  /** Locator of the element. */
  readonly locator: Locator;
  /** The selector of the locator. */
  readonly selector: string;
}

/** Value read from one page. */
export interface PartReading {
  /** The value; undefined if the page has no such content. */
  readonly value: unknown;
  /** Shape of the value: only pages of the same shape are merged. */
  readonly shape: string;
  /** Reason why there is no value. */
  readonly refused?: string;
  /** Notes, structure and total of things. */
  readonly things?: ThingsRead;
}

/** Notes, structure and total of things. */
export type ThingsRead = Omit<Extract<PageReading, { readonly things: unknown }>, "things" | "shape">;

/** Longest time to read a page, in milliseconds. */
const timeoutMs = 15_000;

/**
 * Reads what an extraction asks for from a page as it is now.
 *
 * @throws {AutomationError} `step_failed` if no data that fits the schema can be extracted.
 */
export async function readPart(
  page: Page,
  part: PagePart | undefined,
  what: ExtractionKind & { readonly like?: string | undefined },
  name: string,
  context: StepContext,
): Promise<PartReading> {
  switch (what.kind) {
    case "table": {
      const table = part ? await readTableAt(part.locator) : await readPageTable(page, name);
      return { value: table && dropMore(table.rows), shape: describeShape(table) };
    }
    case "list":
      return { value: dropEmpty(dropMore(await readFromFrames(page, part, readListAt))), shape: "list" };
    case "links":
      return { value: dropEmpty(await readFromFrames(page, part, readLinksAt)), shape: "links" };
    case "elements":
      return { value: dropEmpty([...(await readElements(page, what.of))]), shape: "elements" };
    case "things": {
      const reading = await readThings(page, what.question, what.like);
      if ("things" in reading) {
        const { things, shape, ...details } = reading;
        return { value: dropMore(things), shape, things: details };
      }
      if (!reading.isNone) throw new StepError(reading.refused);
      return { value: undefined, shape: "none", refused: reading.refused };
    }
    case "text":
      return { value: (await readText(page, part)) || undefined, shape: "text" };
    case "data":
      return { value: await readData(page, part, what, context), shape: "data" };
  }
}

function describeShape(table: PageTable | undefined): string {
  return table === undefined ? "none" : JSON.stringify(table.headers);
}

/** Reads from a part; without one from the main content, or else from the frame with the most items. */
async function readFromFrames<Item>(
  page: Page,
  part: PagePart | undefined,
  read: (part: Locator) => Promise<Item[]>,
): Promise<Item[]> {
  if (part) return read(part.locator);
  const main = page.locator("main, [role=main]");
  const inMain = (await main.count()) === 1 ? await read(main) : [];
  if (inMain.length > 0) return inMain;
  let most: Item[] = [];
  for (const frame of page.frames()) {
    const items = await read(frame.locator(":root")).catch(() => []);
    if (items.length > most.length) most = items;
  }
  return most;
}

function dropEmpty<Item>(items: Item[]): Item[] | undefined {
  return items.length === 0 ? undefined : items;
}

async function readText(page: Page, part: PagePart | undefined): Promise<string> {
  if (part) return (await part.locator.innerText({ timeout: timeoutMs })).trim();
  await using scraper = new PageScraper();
  const { markdown } = await scraper.scrape(page, { only_main_content: true }, { timeoutMs });
  return markdown.trim() === "" ? (await scraper.scrape(page, {}, { timeoutMs })).markdown.trim() : markdown.trim();
}

async function readData(
  page: Page,
  part: PagePart | undefined,
  { schema, instructions }: Extract<ExtractionKind, { kind: "data" }>,
  { model, signal, variables }: StepContext,
): Promise<unknown> {
  const root = part?.locator ?? page.locator(":root");
  const rows = schema["type"] === "array" ? await readShownData(root, schema) : undefined;
  if (rows !== undefined) return rows;
  await using scraper = new PageScraper();
  const scope = part ? { selector: part.selector } : {};
  const { markdown, declared, placeholders } = await scraper.scrape(
    page,
    { ...scope, use_link_placeholders: model !== undefined },
    { timeoutMs, declared: true },
  );
  if (declared === null) throw new TypeError("the scrape returned no declared data");
  const { success, data, error } = await extractStructured({
    declared,
    markdown,
    placeholders: new Map(Object.entries(placeholders)),
    responseFormat: schema,
    instructions: instructions === undefined ? undefined : fillIn(instructions, variables),
    model,
    signal,
  });
  const rowsOrObject = success || model !== undefined ? undefined : await readShownData(root, schema);
  if (rowsOrObject !== undefined) return rowsOrObject;
  if (!success) throw new StepError((error ?? "no data").replace(/\.$/, ""));
  return data;
}
