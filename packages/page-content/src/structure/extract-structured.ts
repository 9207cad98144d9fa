import type { DeclaredContent, Json } from "../in-page/declared/declared-data.ts";
import type { TokenUsage } from "../model/cost.ts";
import type { Model } from "../model/model.ts";
import { askModel } from "./ask-model.ts";
import { matchSchema, type Match } from "./match-schema.ts";
import { makeFailure, makeSuccess, type StructuredData } from "./structured-data.ts";
import { isRecord } from "./values/json.ts";
import { validateData } from "./schema/validate-data.ts";

/** Options of an extraction. */
export interface ExtractionOptions {
  /** Data that the page declares. */
  readonly declared: DeclaredContent;
  /** The page as Markdown; read by a model only. */
  readonly markdown: string;
  /** Placeholder to absolute address, when the Markdown names links and images by placeholders. */
  readonly placeholders?: ReadonlyMap<string, string> | undefined;
  /** A JSON Schema, from a stranger. */
  readonly responseFormat?: unknown;
  /** Instructions of the caller. Only a model can read them: without one the schema alone is followed. */
  readonly instructions?: string | null | undefined;
  /** The model, when one is configured. */
  readonly model?: Model | undefined;
  /** Aborts the extraction. */
  readonly signal?: AbortSignal | undefined;
  /** Called once with the tokens of all calls of the model; undefined when the provider did not report those of every call. */
  readonly onUsage?: ((tokens: TokenUsage | undefined) => void) | undefined;
}

const configureAdvice = "Configure a model to extract what a page says only in its text.";

/**
 * Extracts data in the form that a schema names: by the model when there is one, else from what the page declares.
 * `success` is true only for data that was validated against the schema; declared values that the schema refuses are left out where they
 * are optional.
 *
 * @throws {PageContentError} `busy`
 *
 * Source: interface § StructuredData.
 *
 * @example
 * ```ts from=examples/api/page-content/extract-structured.ts
 * import { BrowserPool } from "@cloud-browser/browsers";
 * import { extractStructured, PageScraper } from "@cloud-browser/page-content";
 *
 * const pool = await BrowserPool.start({ maxBrowsers: 1 });
 * const { context } = await pool.open();
 * const page = await context.newPage();
 * await page.setContent(
 *   `<h1>Ticket</h1><script type="application/ld+json">{ "@type": "Product", "name": "Day ticket", "offers": { "price": 12.5 } }</script>`,
 * );
 *
 * await using scraper = new PageScraper();
 * const { declared, markdown } = await scraper.scrape(page, {}, { timeoutMs: 15_000, declared: true });
 * const responseFormat = { type: "object", properties: { name: { type: "string" }, price: { type: "number" } } };
 * if (declared) console.log((await extractStructured({ declared, markdown, responseFormat })).data); // { name: 'Day ticket', price: 12.5 }
 * await pool.close();
 * ```
 */
export async function extractStructured(extraction: ExtractionOptions): Promise<StructuredData> {
  const { declared, markdown, placeholders = new Map(), responseFormat, model, signal, onUsage } = extraction;
  const instructions = extraction.instructions?.trim() || undefined;
  const hasSchema = responseFormat !== undefined && responseFormat !== null;
  if (!hasSchema && !instructions) return makeFailure("Nothing to extract: give response_format or instructions.");
  if (!hasSchema && !model)
    return makeFailure(`instructions without response_format need a model; none is configured. ${configureAdvice}`);
  if (hasSchema) {
    const verdict = await validateData(responseFormat);
    if (verdict.kind === "unusable") return makeFailure(`response_format ${verdict.why}.`);
  }
  const schema = isRecord(responseFormat) ? responseFormat : undefined;
  if (model) return askModel({ model, declared, markdown, placeholders, schema, instructions, signal, onUsage });
  return schema ? fromDeclared(schema, declared) : makeFailure("response_format must be a JSON Schema object.");
}

async function fromDeclared(
  schema: { readonly [name: string]: Json },
  declared: DeclaredContent,
): Promise<StructuredData> {
  const match = matchSchema(schema, declared);
  if (!("data" in match)) return makeFailure(notDeclared(match));
  const verdict = await validateData(schema, { value: match.data, inPart: true });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a part of JSON is JSON
  if (verdict.kind === "valid" && match.data !== null) return makeSuccess((verdict.part as Json) ?? match.data);
  const problems = verdict.kind === "invalid" ? verdict.problems.join("; ") : "checking it timed out";
  return makeFailure(
    `What the page declares does not follow response_format: ${problems}. No model is configured. ${configureAdvice}`,
  );
}

function notDeclared({ missing, note, looked }: Exclude<Match, { readonly data: Json }>): string {
  const names = missing.slice(0, 5).map((path) => `\`${path.slice(0, 100)}\``);
  const more = missing.length > names.length ? ` and ${missing.length - names.length} more` : "";
  const what =
    names.length > 0 ? `the page does not declare ${names.join(", ")}${more}` : "response_format has no properties";
  return [
    `No model is configured, and ${what}.`,
    ...(note ? [note] : []),
    `Looked at ${looked.join(", ")}.`,
    configureAdvice,
  ].join(" ");
}
