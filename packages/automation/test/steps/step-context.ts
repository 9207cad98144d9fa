import type { Page } from "playwright-core";
import { ActivePage, BrowserPool, type PooledContext, installPagePolicy } from "@cloud-browser/browsers";
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
  return BrowserPool.start({ contextsPerBrowser: 20 });
}

/** Opens a context with one page in it. */
export async function openStepContext(
  pool: BrowserPool,
  variables: Readonly<Record<string, string>> = {},
): Promise<TestStepContext> {
  const pooled: PooledContext = await pool.open();
  installPagePolicy(pooled.context, () => false);
  const activePage = new ActivePage(pooled.context);
  await pooled.context.newPage();
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
    [Symbol.asyncDispose]: async () => pooled.close(),
  };
}
