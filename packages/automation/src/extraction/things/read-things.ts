import type { Page } from "playwright-core";
import type { ThingsQuestion } from "../../task/things-question.ts";
import { compileAsk } from "./compile-ask.ts";
import { readInPage } from "./in-page.ts";
import type { PageReading } from "./page-ask.ts";

/** Longest time to read a document, in milliseconds. */
const timeoutMs = 15_000;

/**
 * Answers a question from the document of a page; if that has no such things, from the only frame that does.
 *
 * @param like - Structure of the things of the previous page.
 */
export async function readThings(page: Page, question: ThingsQuestion, like: string | undefined): Promise<PageReading> {
  const ask = { ...compileAsk(question), ...(like === undefined ? {} : { like }) };
  const [main, ...frames] = page.frames();
  const read = async (frame: typeof main): Promise<PageReading> =>
    frame ? frame.locator(":root").evaluate(readInPage, ask, { timeout: timeoutMs }) : nothing;
  const first = await read(main);
  if (!("refused" in first) || !first.isNone) return first;
  const others = await Promise.all(frames.map((frame) => read(frame).catch(() => nothing)));
  const readings = others.filter((one) => !("refused" in one) || !one.isNone);
  const [only, another] = readings;
  if (another) return { refused: "several frames of the page have it", isNone: false };
  return only ?? first;
}

const nothing: PageReading = { refused: "the page has no document", isNone: true };
