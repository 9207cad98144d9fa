import { pino } from "pino";
import type { Page } from "playwright-core";
import { Agent } from "../../src/agent/agent.ts";
import { defaultAgentLimits, type AgentLimits } from "../../src/agent/agent-limits.ts";
import { AutomationError } from "../../src/automation-error.ts";
import type { PersonAtWork } from "../../src/page/person.ts";
import type { ProgressEvent, Work, Workplace } from "../../src/task/work.ts";
import { ActivePage, BrowserPool, type PooledContext } from "@cloud-browser/browsers";
import { createModel, type ModelLimits } from "@cloud-browser/page-content";
import {
  startStubModelServer,
  type StubModelServer,
  type StubRequest,
} from "@cloud-browser/testing/model/stub-model-server.ts";
import type { StubTurn } from "@cloud-browser/testing/model/stub-turns.ts";

/** Prices that show every rounding. */
export const prices = { input: "3", cachedInput: "0.3", cacheWrite: "3.75", output: "15.000000000000000001" };

/** Plays a turn for each request; `number` counts from 0. */
export type Script = readonly StubTurn[] | ((request: StubRequest, number: number) => StubTurn);

/** How a task is worked on. */
export interface TaskOptions {
  readonly task?: string;
  readonly script: Script;
  readonly limits?: Partial<AgentLimits>;
  readonly modelLimits?: Partial<ModelLimits>;
  readonly signal?: AbortSignal;
  /** Who may act beside the agent, given the page. Default: nobody. */
  readonly person?: (page: Page) => PersonAtWork;
  /** Is awaited for each event. */
  readonly emit?: (event: ProgressEvent) => Promise<void>;
  /** Another provider than the one that plays the script. */
  readonly baseUrl?: string;
}

/** What came of it. */
export interface Done {
  readonly work: Work | undefined;
  readonly error: unknown;
  readonly events: readonly ProgressEvent[];
  readonly server: StubModelServer;
  readonly agent: Agent;
  /** Lines of the log. */
  readonly logged: readonly string[];
}

/** A browser for agents; each task gets a context of its own. */
export class AgentHarness {
  readonly #pool: BrowserPool;

  constructor(pool: BrowserPool) {
    this.#pool = pool;
  }

  static async open(): Promise<AgentHarness> {
    return new AgentHarness(await BrowserPool.start());
  }

  async close(): Promise<void> {
    await this.#pool.close();
  }

  async openContext(): Promise<PooledContext> {
    return this.#pool.open();
  }

  /** Has an agent work on a task, with a scripted model over real HTTP. */
  async work(options: TaskOptions): Promise<Done> {
    const { task = "Do it.", script, limits, modelLimits, signal = new AbortController().signal } = options;
    let scriptFault: unknown;
    const play = (write: Exclude<Script, readonly StubTurn[]>, request: StubRequest, number: number): StubTurn => {
      try {
        return write(request, number);
      } catch (error) {
        scriptFault = error;
        throw error;
      }
    };
    const server = await startStubModelServer((request, number) => {
      const turn = typeof script === "function" ? play(script, request, number) : script[number];
      return turn ?? { failure: { kind: "status", status: 500, message: "the script is over" } };
    });
    const pooled = await this.#pool.open();
    const events: ProgressEvent[] = [];
    const model = createModel({
      baseUrl: options.baseUrl ?? server.baseUrl,
      apiKey: "sk-very-secret",
      name: "stub",
      prices,
      limits: { retries: 0, ...modelLimits },
    });
    const logged: string[] = [];
    const log = pino({}, { write: (line: string) => void logged.push(line) });
    const agent = new Agent({ model, limits: { ...defaultAgentLimits, ...limits }, log });
    try {
      const activePage = new ActivePage(pooled.context);
      const page = await pooled.context.newPage();
      const place: Workplace = {
        ...options.person?.(page),
        activePage,
        signal,
        onAction: () => {},
        checkUrl: refuseAllButLoopback,
        emit: async (event) => {
          signal.throwIfAborted();
          events.push(event);
          await options.emit?.(event);
        },
      };
      const work = await agent.work(task, place);
      return { work, error: undefined, events, server, agent, logged };
    } catch (error) {
      if (scriptFault !== undefined) throw scriptFault;
      return { work: undefined, error, events, server, agent, logged };
    } finally {
      await Promise.all([pooled.close(), server.close()]);
    }
  }
}

async function refuseAllButLoopback(url: URL): Promise<void> {
  if (["127.0.0.1", ""].includes(url.hostname)) return;
  throw new AutomationError("address_refused", `Pages may not be opened on ${url.hostname}.`);
}

/** The reference of an element in what the model was shown last. */
export function refIn({ body }: StubRequest, element: string): string {
  const text = body.messages.map(({ content }) => content ?? "").join("\n");
  const line = text.split("\n").findLast((one) => one.includes(element) && one.includes("[ref="));
  const ref = /\[ref=((?:f\d+)?e\d+)\]/.exec(line ?? "")?.[1];
  if (ref === undefined) throw new Error(`the model was not shown ${element}:\n${text.slice(-3_000)}`);
  return ref;
}

/** A turn that calls one tool. */
export function call(name: string, input: unknown = {}): StubTurn {
  return { toolCalls: [{ name, arguments: input }] };
}

/** Filters the events of a type, in their order. */
export function filterEvents<Type extends ProgressEvent["type"]>(events: readonly ProgressEvent[], type: Type) {
  return events.filter((event): event is Extract<ProgressEvent, { type: Type }> => event.type === type);
}
