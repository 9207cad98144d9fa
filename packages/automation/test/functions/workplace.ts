import { FunctionWorker, type FunctionWorkerOptions } from "../../src/functions/run-function.ts";
import { performStep } from "../../src/steps/perform-step.ts";
import type { Step, StepResult } from "../../src/task/step.ts";
import type { ProgressEvent, Work, Workplace } from "../../src/task/work.ts";
import { ActivePage, BrowserPool, type PooledContext } from "@cloud-browser/browsers";
import type { FunctionRecord } from "../../src/functions/function-record.ts";

/** Browsers of the service, for the runs of one test file. */
export class TestBrowsers implements AsyncDisposable {
  readonly #pool: BrowserPool;

  private constructor(pool: BrowserPool) {
    this.#pool = pool;
  }

  static async start(): Promise<TestBrowsers> {
    return new TestBrowsers(await BrowserPool.start());
  }

  /** A session with a page, in which somebody can work. */
  async openPlace(): Promise<Place> {
    const pooled = await this.#pool.open();
    const activePage = new ActivePage(pooled.context);
    await pooled.context.newPage();
    return new Place(pooled, activePage);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#pool.close();
  }
}

/** A session, and what was told of the work in it. */
export class Place implements AsyncDisposable {
  readonly pooled: PooledContext;
  readonly activePage: ActivePage;
  /** What was told. */
  readonly events: ProgressEvent[] = [];
  readonly stop = new AbortController();

  constructor(pooled: PooledContext, activePage: ActivePage) {
    this.pooled = pooled;
    this.activePage = activePage;
  }

  /** The page that the session is on. */
  get page() {
    const page = this.activePage.current;
    if (!page) throw new Error("the session has no page");
    return page;
  }

  get workplace(): Workplace {
    return {
      activePage: this.activePage,
      emit: async (event) => void this.events.push(event),
      onAction: () => {},
      checkUrl: async () => {},
      signal: this.stop.signal,
    };
  }

  /** Performs one step, without a function. */
  async perform(step: Step, variables: Readonly<Record<string, string>> = {}): Promise<StepResult> {
    const { activePage, onAction, checkUrl, signal } = this.workplace;
    return performStep(step, { activePage, onAction, checkUrl, signal, variables: new Map(Object.entries(variables)) });
  }

  /** Runs a function. */
  async run(
    record: FunctionRecord,
    variables: Readonly<Record<string, string>> = {},
    options: Partial<FunctionWorkerOptions> = {},
  ): Promise<Work> {
    const worker = new FunctionWorker(record, variables, { keep: () => {}, ...options });
    return worker.work(record.query, this.workplace);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.pooled.close();
  }
}

/** Creates a record of steps. */
export function createRecord(steps: readonly Step[], fields: Partial<FunctionRecord> = {}): FunctionRecord {
  return {
    function_id: "0f0e0d0c-0b0a-4909-8807-060504030201",
    function_name: "search_products",
    created_at: "2026-11-21T10:00:00.000+00:00",
    query: "search for lamps",
    variables: [],
    steps,
    ...fields,
  };
}
