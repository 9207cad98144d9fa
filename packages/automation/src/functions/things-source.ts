import { finishThings } from "../extraction/things/finish-things.ts";
import { compileAsk, nameThings } from "../extraction/things/compile-ask.ts";
import { readerSource } from "../extraction/things/in-page.ts";
import type { ThingsQuestion } from "../task/things-question.ts";
import { escapeCode } from "./text-source.ts";

/** Writes an extraction of several things as an expression. `readAll` reads all pages, if it is given. */
export function writeThings(question: ThingsQuestion, readAll?: string): string {
  const { as, bound, order } = question;
  const finish = { as, bound, order, several: nameThings(question).several };
  const all = readAll === undefined ? "" : `, ${readAll}`;
  return `readThings(page, ${JSON.stringify(compileAsk(question))}, ${JSON.stringify(finish)}${all})`;
}

/** Reads several things, in exported source. */
export const thingsPart = `/** Reads several things alike of a page, as the function does: what they are is searched by the words of the task and the structure of the page. */
async function readThings(page: Page, ask: object, finish: object, readAll?: (read: () => Promise<unknown[]>) => Promise<unknown[]>): Promise<unknown> {
  let like: string | undefined;
  let total: { total: number } | undefined;
  let lang: string | undefined;
  const read = async (): Promise<unknown[]> => {
    const reading = await lookForThings(page, { ...ask, like });
    like ??= reading.like;
    total ??= reading.total;
    lang ??= reading.lang;
    return reading.things;
  };
  const things = await (readAll ? readAll(read) : read());
  const hasMore = async (): Promise<boolean> => page.evaluate(\`(\${searchFurther})(\${JSON.stringify({ ...furtherNames, read: 1, tried: [] })}) !== null\`);
  const isListed = like !== undefined;
  const isPart = total !== undefined ? total.total > things.length : !readAll && isListed && (await hasMore());
  const { value } = await page.evaluate<{ value: unknown }>(\`(\${finishThings})(\${JSON.stringify(things)}, \${JSON.stringify({ ...finish, total, isPart, lang })})\`);
  return value;
}

interface ThingsReading {
  things: unknown[];
  like?: string;
  total?: { total: number };
  lang?: string;
}

async function lookForThings(page: Page, ask: object): Promise<ThingsReading> {
  for (let tries = 0; ; tries += 1) {
    let none = "";
    for (const frame of page.frames()) {
      const reading = await frame.evaluate<ThingsReading | { refused: string; isNone: boolean }>(\`(\${searchThings})(\${JSON.stringify(ask)})\`);
      if ("things" in reading && (reading.things.length > 0 || tries >= 40)) return reading;
      if ("refused" in reading && !reading.isNone) throw new Error(reading.refused);
      if ("refused" in reading && none === "") none = reading.refused;
    }
    if (tries >= 40) throw new Error(none); // they may come late
    await page.waitForTimeout(100);
  }
}

/** Orders, limits or counts what was read. */
const finishThings = \`${escapeCode(finishThings.toString())}\`;

/** Finds, in the page, what is asked for. */
const searchThings = \`${escapeCode(readerSource)}\`;`;
