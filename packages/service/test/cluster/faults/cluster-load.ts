import { setTimeout as delay } from "node:timers/promises";
import { createCloudBrowser } from "@cloud-browser/client";
import { attachRun } from "@cloud-browser/client/runs";
import { readAutomationStream, type StreamEvent } from "@cloud-browser/stream";
import type { SessionView } from "../../../src/control/session-view.ts";
import { key } from "../../command-line.ts";
import { readAnswer } from "../../running-service.ts";
import { askNode, type TestNode } from "../cluster.ts";

/** What a client knows of a session whose creation was answered with 201. */
export interface KnownSession {
  /** Its end was asked for: it may have begun. */
  isEndAsked: boolean;
  /** Its end was answered. */
  hasEnded: boolean;
}

/** What a client knows of a run that was started. */
export interface KnownRun {
  /** The terminal events that its readers were told; of a stream that broke off, none. */
  readonly outcomes: StreamEvent[];
  /** The functions that they were told of. */
  readonly functions: string[];
  /** Number of the order that it was to place. */
  readonly order: number;
}

/** A request failed, of a client that did nothing wrong. */
export interface Failure {
  readonly what: string;
  /** The session that it was for. */
  readonly id: string;
  readonly text: string;
}

/** Where a load goes. */
export interface LoadOptions {
  /** The nodes that can be asked now; the first one is asked for sessions and for the rest of runs, and another one once it is gone. */
  readonly nodes: () => readonly TestNode[];
  /** Address of the shop. */
  readonly shop: string;
}

const terminal = new Set(["done", "error", "timeout", "cancelled"]);

/** Most sessions of a client that it leaves open, to end them later. */
const mostLeft = 3;

/** Clients that use a service all the time: they open sessions, scrape and end them, and start runs that click once. */
export class ClusterLoad {
  readonly sessions = new Map<string, KnownSession>();
  readonly runs = new Map<string, KnownRun>();
  readonly failures: Failure[] = [];
  readonly #options: LoadOptions;
  readonly #clients: Promise<void>[] = [];
  readonly #underWay = new Set<string>();
  #orders = 0;
  #isOver = false;
  #pause: PromiseWithResolvers<void> | undefined;
  #working = 0;
  #onRest: () => void = () => undefined;

  constructor(options: LoadOptions) {
    this.#options = options;
  }

  /** What its clients wait for now. */
  get underWay(): readonly string[] {
    return [...this.#underWay];
  }

  /** Begins. */
  start(): void {
    const left: string[] = [];
    this.#clients.push(
      this.#again(() => this.#session(left)),
      this.#again(() => this.#session(left)),
    );
    this.#clients.push(
      this.#again(() => this.#run("followed")),
      this.#again(() => this.#run("detached")),
    );
  }

  /** Nothing is under way while some work goes on. Rejects when that does, and when a client does. */
  async atRest<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#pause = Promise.withResolvers<void>();
    const rested = new Promise<void>((resolve) => {
      this.#onRest = () => {
        if (this.#working === 0) resolve();
      };
      this.#onRest();
    });
    try {
      await Promise.race([rested, Promise.all(this.#clients).then(() => rested)]);
      return await work();
    } finally {
      this.#pause.resolve();
      this.#pause = undefined;
    }
  }

  /** Begins nothing more. Settles when nothing is under way. */
  async stop(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#clients);
  }

  async #again(work: () => Promise<void>): Promise<void> {
    while (!this.#isOver) {
      this.#working += 1;
      try {
        await work();
      } finally {
        this.#working -= 1;
      }
      this.#onRest();
      await delay(200);
      await this.#pause?.promise;
    }
  }

  async #session(left: string[]): Promise<void> {
    const { shop } = this.#options;
    const session = await this.#receive<SessionView>("create", "-", "POST", "/control/sessions", { url: shop });
    if (!session) return;
    const { session_id: id } = session;
    this.sessions.set(id, { isEndAsked: false, hasEnded: false });
    for (let turn = 0; turn < 2; turn += 1) {
      await this.#receive("scrape", id, "POST", `/sessions/${id}/page/scrape`, {});
      await delay(250);
    }
    left.push(id);
    const [oldest] = left;
    // Every third one goes on for a while.
    if (oldest !== undefined && left.length > mostLeft) {
      left.shift();
      await this.#end(oldest);
    } else if (this.sessions.size % 3 !== 0) {
      left.pop();
      await this.#end(id);
    }
  }

  async #end(id: string): Promise<void> {
    const known = this.sessions.get(id);
    if (known) known.isEndAsked = true;
    const ended = await this.#receive<SessionView>("end", id, "DELETE", `/control/sessions/${id}`);
    if (known && ended?.end_reason === "requested") known.hasEnded = true;
  }

  async #noted<Result>(what: string, { name }: TestNode, work: () => Promise<Result>): Promise<Result> {
    const noted = `${what} by ${name}`;
    this.#underWay.add(noted);
    try {
      return await work();
    } finally {
      this.#underWay.delete(noted);
    }
  }

  /** The node that is asked. */
  get #entry(): TestNode {
    const [first] = this.#options.nodes();
    if (!first) throw new Error("There is no node.");
    return first;
  }

  /** Starts a run on a node, reads it there or not at all, and then the rest of it through the entry. */
  async #run(how: "followed" | "detached"): Promise<void> {
    const { shop } = this.#options;
    const nodes = this.#options.nodes();
    const node = nodes[Math.floor(Math.random() * nodes.length)];
    if (!node) return;
    this.#orders += 1;
    const order = this.#orders;
    const query = `Open ${shop}?order=${order}, click Buy, wait 1 seconds`;
    const start = (): Promise<Response> =>
      fetch(`${node.served.url}/api/automation/start`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${key}`,
          "content-type": "application/json",
          ...(how === "detached" && { prefer: "respond-async" }),
        },
        body: JSON.stringify({ query }),
      });
    const response = await this.#noted(`start of order ${order}`, node, start).catch(() => undefined);
    const id = response?.headers.get("x-service-run-id");
    if (!response?.ok || id === null || id === undefined) {
      await response?.body?.cancel();
      return;
    }
    const run: KnownRun = { outcomes: [], functions: [], order };
    this.runs.set(id, run);
    // What a node that is killed has begun to send has no end: it is read again by its id.
    if (how === "followed") {
      const follow = (): Promise<void> => this.#read(run, readAutomationStream(response));
      await this.#noted(`events of ${id}`, node, follow).catch(() => undefined);
    } else await response.body?.cancel();
    await this.#readRest(run, id);
  }

  /** Reads a run through the entry; through another one when that is killed meanwhile. */
  async #readRest(run: KnownRun, id: string): Promise<void> {
    const entry = this.#entry;
    const client = createCloudBrowser({ apiKey: key, baseUrl: entry.served.url });
    // By itself it would ask the address of the one that is gone for minutes.
    const gone = new AbortController();
    void entry.served.ended.then(() => gone.abort());
    try {
      const { stream } = attachRun(client, id, { signal: gone.signal });
      await this.#noted(`rest of ${id}`, entry, () => this.#read(run, stream));
    } catch (error) {
      if (entry === this.#entry) throw error;
      await this.#readRest(run, id);
    }
  }

  async #read(run: KnownRun, stream: AsyncIterable<StreamEvent>): Promise<void> {
    for await (const event of stream) {
      if (terminal.has(event.type)) run.outcomes.push(event);
      if (event.type === "function_uploaded" && typeof event.function_id === "string") {
        run.functions.push(event.function_id);
      }
    }
  }

  /**
   * What a request gave; undefined when it failed, which is noted. A request that broke off as its node was killed is sent to another
   * one, unless it was to create something: whether that is there is not known.
   */
  async #receive<Answer>(
    what: string,
    id: string,
    ...[method, path, body]: [method: string, path: string, body?: unknown]
  ): Promise<Answer | undefined> {
    const entry = this.#entry;
    try {
      const answer = await this.#noted(`${method} ${path}`, entry, () => askNode(entry, method, path, body));
      if (answer.ok) return await readAnswer<Answer>(answer);
      this.failures.push({ what, id, text: `${answer.status} ${await answer.text()}` });
    } catch (error) {
      if (entry !== this.#entry) return what === "create" ? undefined : this.#receive(what, id, method, path, body);
      this.failures.push({ what, id, text: String(error instanceof Error ? (error.cause ?? error) : error) });
    }
    return undefined;
  }
}
