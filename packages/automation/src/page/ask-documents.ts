import type { BrowserContext, Frame, Locator, Page } from "playwright-core";
import { awaitWithin } from "../async.ts";
import { watchDocument, watchSymbol, type DocumentWatch } from "./document-watch.ts";
import { heldSymbol, holdValues, type HeldValue, type HeldValues } from "./held-values.ts";

/** Most frames of a page that are asked. */
const maxFrames = 8;
/** Longest waits for a document to respond, in milliseconds: what that of the page itself does not say is not heard. */
const timeoutMs = { page: 5000, frame: 2000 } as const;

/** Methods of a watch, all without parameters. */
type Question = keyof DocumentWatch;
type HeldQuestion = Exclude<keyof HeldValues, "hold">;

/** Installs the watches in each new document of a context, before the scripts of the document run. */
export async function installWatches(context: BrowserContext): Promise<void> {
  await context.addInitScript(watchDocument, watchSymbol);
  await context.addInitScript(holdValues, heldSymbol);
}

/** Asks the watch of each document of a page; documents that do not respond are left out. */
export async function askDocuments<Name extends Question>(
  page: Page,
  name: Name,
): Promise<ReturnType<DocumentWatch[Name]>[]> {
  return ask<ReturnType<DocumentWatch[Name]>>(page, watchSymbol, name);
}

/** Asks for the held values of each document of a page; documents that do not respond are left out. */
export async function askHeldValues<Name extends HeldQuestion>(
  page: Page,
  name: Name,
): Promise<ReturnType<HeldValues[Name]>[]> {
  return ask<ReturnType<HeldValues[Name]>>(page, heldSymbol, name);
}

/** Records the value that a step set in a field or box, so that its document reports a change. */
export async function holdValue(locator: Locator, expectation: HeldValue): Promise<void> {
  const hold = (): Promise<boolean> =>
    locator.evaluate(
      (element, [symbol, value]) => {
        const values: unknown = Reflect.get(globalThis, Symbol.for(symbol));
        if (typeof values !== "object" || values === null) return false;
        Reflect.apply(Reflect.get(values, "hold"), values, [element, value]);
        return true;
      },
      [heldSymbol, expectation] as const,
      { timeout: timeoutMs.page },
    );
  await awaitWithin(
    timeoutMs.page,
    hold().then(async (isHeld) => {
      if (isHeld) return;
      await Promise.all(
        locator
          .page()
          .frames()
          .map((frame) => awaitWithin(timeoutMs.frame, frame.evaluate(holdValues, heldSymbol))),
      );
      await hold();
    }),
  );
}

async function ask<Answer>(page: Page, symbol: string, method: string): Promise<Answer[]> {
  const call = (frame: Frame): Promise<{ readonly isKnown: boolean; readonly answer?: Answer }> =>
    frame.evaluate(
      ([name, question]) => {
        const watch: unknown = Reflect.get(globalThis, Symbol.for(name));
        if (typeof watch !== "object" || watch === null) return { isKnown: false };
        return { isKnown: true, answer: Reflect.apply(Reflect.get(watch, question), watch, []) };
      },
      [symbol, method] as const,
    );
  const askFrame = async (frame: Frame): Promise<Answer | undefined> => {
    const first = await call(frame);
    if (first.isKnown) return first.answer;
    await frame.evaluate(symbol === watchSymbol ? watchDocument : holdValues, symbol);
    return (await call(frame)).answer;
  };
  const frames = page.frames().slice(0, maxFrames);
  const answers = await Promise.all(
    frames.map((frame) =>
      awaitWithin(
        frame === page.mainFrame() ? timeoutMs.page : timeoutMs.frame,
        askFrame(frame).then((value) => ({ value })),
      ),
    ),
  );
  return answers.flatMap((answer) => (answer?.value === undefined ? [] : [answer.value]));
}
