import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { stripTypeScriptTypes } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { startSite, type Site, type SitePage } from "@cloud-browser/testing/site.ts";
import type { Page } from "playwright-core";
import type { FunctionRecord } from "../../../src/functions/function-record.ts";
import { writeFunctionSource } from "../../../src/functions/function-source.ts";
import { Planner } from "../../../src/planner/planner.ts";
import type { Work } from "../../../src/task/work.ts";
import { createRecord, TestBrowsers } from "../../functions/workplace.ts";
import type { PageShape, PluralTask } from "./shape.ts";

/** What came of a task. */
export interface PluralOutcome {
  /** "done", or the error. */
  readonly end: string;
  readonly data: unknown;
  /** Notes of the run. */
  readonly notes: string;
  /** Data of the function and of its exported source, on the page as it is later. */
  readonly later?: readonly [byFunction: unknown, bySource: unknown];
}

/** The address that stands for the site in pages and data. */
const siteAddress = "http://site.example";

/** Serves pages, and runs tasks on them. */
export class ShapeRuns implements AsyncDisposable {
  readonly #site: Site;
  readonly #browsers: TestBrowsers;
  readonly #folder: string;

  private constructor(site: Site, browsers: TestBrowsers, folder: string) {
    this.#site = site;
    this.#browsers = browsers;
    this.#folder = folder;
  }

  static async start(shapes: readonly PageShape[]): Promise<ShapeRuns> {
    const pages: Record<string, SitePage> = {};
    for (const [index, { pages: htmls }] of shapes.entries()) {
      for (const [at, time] of ["now", "later"].entries())
        pages[`/${time}/${index}`] = (_, response) =>
          void response
            .writeHead(200, { "content-type": "text/html; charset=utf-8" })
            .end(`<!doctype html><html lang=en><title>Page</title>${htmls[at]}`);
    }
    const folder = await mkdtemp(join(tmpdir(), "plurals-test-"));
    return new ShapeRuns(await startSite(pages), await TestBrowsers.start(), folder);
  }

  /** Runs a task, and where it is done, its function and the source of it on the later page. */
  async run(index: number, task: string): Promise<PluralOutcome> {
    const { url } = this.#site;
    await using place = await this.#browsers.openPlace();
    let work: Work;
    try {
      work = await new Planner().work(`Open ${url}/now/${index}, ${task}`, place.workplace);
    } catch (error) {
      return { end: String(error), data: undefined, notes: "" };
    }
    const steps: FunctionRecord["steps"] = JSON.parse(JSON.stringify(work.steps).replaceAll("/now/", "/later/"));
    const record = createRecord(steps, { variables: work.variables });
    const byFunction = await place.run(record).then(({ data }) => this.#value(data), String);
    const bySource = await this.#runSource(record, place.page).then((data) => this.#value(data), String);
    return {
      end: "done",
      data: this.#value(work.data),
      notes: (work.notes ?? []).join(" "),
      later: [byFunction, bySource],
    };
  }

  /** The only value of what was read, with the address of the site as tasks write it. */
  #value(data: unknown): unknown {
    const [value] = Object.values(Object(data));
    return value === undefined ? undefined : JSON.parse(JSON.stringify(value).replaceAll(this.#site.url, siteAddress));
  }

  async #runSource(record: FunctionRecord, page: Page): Promise<unknown> {
    const file = join(this.#folder, `${crypto.randomUUID()}.mjs`);
    await writeFile(file, stripTypeScriptTypes(writeFunctionSource(record)));
    const loaded: Readonly<Record<string, (page: Page) => Promise<unknown>>> = await import(
      /* @vite-ignore */ pathToFileURL(file).href
    );
    const [run] = Object.values(loaded);
    if (!run) throw new Error("the source exports nothing");
    return run(page);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#browsers[Symbol.asyncDispose]();
    await this.#site[Symbol.asyncDispose]();
    await rm(this.#folder, { recursive: true, force: true });
  }
}

/** Judges an outcome; returns what is wrong, or undefined. */
export function findFault({ gives, tells, error }: PluralTask, outcome: PluralOutcome): string | undefined {
  const { end, data, notes, later } = outcome;
  if (error) return end !== "done" && error.test(end) ? undefined : `should be refused: ${JSON.stringify(outcome)}`;
  if (end !== "done") return `should be done: ${end}`;
  if (JSON.stringify(data) !== JSON.stringify(gives?.[0]))
    return `gave ${JSON.stringify(data)}, not ${JSON.stringify(gives?.[0])}`;
  if (!(tells ?? /^$/).test(notes)) return `told ${JSON.stringify(notes)}, not ${String(tells ?? "nothing")}`;
  const wrong = later?.findIndex((value) => JSON.stringify(value) !== JSON.stringify(gives?.[1])) ?? 0;
  return wrong < 0
    ? undefined
    : `${wrong === 0 ? "the function" : "the source"} gave ${JSON.stringify(later?.[wrong])}, not ${JSON.stringify(gives?.[1])}`;
}
