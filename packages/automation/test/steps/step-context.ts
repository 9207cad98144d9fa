import type { Page } from "playwright-core";
import { ActivePage, BrowserPool, type BrowserSpace, installPagePolicy } from "@cloud-browser/browsers";
import type { StepContext } from "../../src/steps/perform-step.ts";

/** A place where tests perform steps, in a real browser. */
export interface TestStepContext extends AsyncDisposable {
  /** What steps are performed with. */
  readonly context: StepContext;
  /** Calls the step off. */
  readonly abort: AbortController;
  /** The page that the session is on. */
  page(): Page;
}

/** Starts the browsers of a test file. */
export async function startBrowsers(): Promise<BrowserPool> {
  return BrowserPool.start({ spacesPerBrowser: 20 });
}

/** Opens a space with one page in it. */
export async function openStepContext(
  pool: BrowserPool,
  variables: Readonly<Record<string, string>> = {},
): Promise<TestStepContext> {
  const space: BrowserSpace = await pool.open();
  installPagePolicy(space.context, () => false);
  const activePage = new ActivePage(space.context);
  await space.context.newPage();
  const abort = new AbortController();
  return {
    context: {
      activePage,
      onAction: () => {},
      checkUrl: async () => {},
      signal: abort.signal,
      variables: new Map(Object.entries(variables)),
    },
    abort,
    page() {
      if (!activePage.current) throw new Error("the session has no page");
      return activePage.current;
    },
    [Symbol.asyncDispose]: async () => space.close(),
  };
}
