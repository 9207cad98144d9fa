import type { FunctionRecord } from "@cloud-browser/automation";
import { startSite, type Site } from "@cloud-browser/testing/site.ts";
import { vi } from "vitest";
import type { SessionView } from "../../src/control/session-view.ts";
import type { TimelineView } from "../../src/control/timeline-view.ts";
import type { ServiceOptions } from "../../src/service-options.ts";
import { LiveClient } from "../live/live-client.ts";
import { readAnswer, startTestService, type TestService } from "../running-service.ts";

const patience = { timeout: 60_000, interval: 50 };

/** Why no function was made. */
export interface Refused {
  readonly detail: string;
  readonly refused: readonly { readonly seq: number | null; readonly code: string; readonly message: string }[];
}

/** A page of rows that lie 40 pixels apart, so that a person finds the one of a number. */
export function page(title: string, ...rows: readonly string[]): string {
  const style = "position:absolute;left:0;height:36px;width:600px;margin:0";
  const placed = rows.map((row, index) => `<div style="${style};top:${index * 40}px">${row}</div>`);
  return `<!doctype html><title>${title}</title><style>body{margin:0}input,button,select{height:30px;width:200px}</style><body>${placed.join("")}
    <script>const tell = (what) => fetch("/told", { method: "POST", body: what });</script>`;
}

/** A service, and a site that keeps what its pages are told to do. */
export class ActsTest implements AsyncDisposable {
  readonly running: TestService;
  readonly site: Site;
  /** What the site was sent, in order. */
  readonly visits: string[];

  private constructor(running: TestService, site: Site, visits: string[]) {
    this.running = running;
    this.site = site;
    this.visits = visits;
  }

  static async start(pages: Readonly<Record<string, string>>, options: ServiceOptions = {}): Promise<ActsTest> {
    const visits: string[] = [];
    const site = await startSite({
      ...pages,
      "/told": (request, response) => {
        let body = "";
        request.on("data", (chunk: Buffer) => (body += chunk.toString()));
        request.on("end", () => {
          visits.push(body);
          response
            .setHeader("content-type", "text/html")
            .end(`<title>Told</title><h1>Told</h1><p>${body.length} bytes`);
        });
      },
      "/asked": (request, response) => {
        visits.push(request.url ?? "");
        response
          .setHeader("content-type", "text/html")
          .end("<title>Answer</title><h1>Answer</h1><a href='/asked?more=1'>More</a>");
      },
    });
    return new ActsTest(await startTestService(options), site, visits);
  }

  /** Opens a session at a page of the site, for a person. @param takes - False to leave the control to programs. */
  async person(path: string, takes = true): Promise<Person> {
    const session = await this.running.open({ url: `${this.site.url}${path}` });
    const answer = await this.running.ask("POST", `/control/sessions/${session.session_id}/tokens`, { scope: "steer" });
    const { live_url } = await readAnswer<{ live_url: string }>(answer);
    const live = await LiveClient.open(live_url);
    await live.next(({ type }) => type === "picture");
    if (takes) {
      live.send({ type: "control", action: "take" });
      await live.next(({ type, you }) => type === "control" && you === true);
    }
    const person = new Person(this.running, session, live);
    await person.catchUp();
    return person;
  }

  /** Waits until the site was sent something last. */
  async heard(...texts: readonly string[]): Promise<void> {
    await vi.waitFor(() => {
      const last = this.visits.slice(-texts.length);
      if (last.join("\n") !== texts.join("\n")) throw new Error(`the site was sent ${last.join(", ")}`);
    }, patience);
  }

  /** Makes a function of the acts in a session. */
  async make(id: string, body: object = {}): Promise<FunctionRecord> {
    const answer = await this.running.ask("POST", `/control/sessions/${id}/function`, body);
    if (answer.status !== 201) throw new Error(`no function: ${await answer.text()}`);
    return readAnswer<FunctionRecord>(answer);
  }

  /** Expects that no function is made; returns the codes of the reasons. */
  async refuse(id: string, body: object = {}): Promise<readonly string[]> {
    const answer = await this.running.ask("POST", `/control/sessions/${id}/function`, body);
    if (answer.status !== 409) throw new Error(`not refused: ${await answer.text()}`);
    return (await readAnswer<Refused>(answer)).refused.map(({ code }) => code);
  }

  /** Runs a function to its end in a new session; returns what the site was told meanwhile. */
  async run(
    id: string,
    variables: Readonly<Record<string, string>> = {},
    files: readonly object[] = [],
  ): Promise<readonly string[]> {
    const before = this.visits.length;
    const answer = await this.running.ask("POST", `/control/functions/${id}/run`, { variables, files });
    const events = await answer.text();
    const last = events.trim().split("\n").at(-1) ?? "";
    if (!last.includes('"type":"done"')) throw new Error(`the run failed: ${last}`);
    return this.visits.slice(before);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.running[Symbol.asyncDispose]();
    await this.site[Symbol.asyncDispose]();
  }
}

/** A person at the live view of a session. */
export class Person implements AsyncDisposable {
  readonly id: string;
  readonly session: SessionView;
  readonly live: LiveClient;
  readonly #running: TestService;
  #lastSeq = 0;

  constructor(running: TestService, session: SessionView, live: LiveClient) {
    this.#running = running;
    this.id = session.session_id;
    this.session = session;
    this.live = live;
  }

  /** Takes what has happened so far as known. */
  async catchUp(): Promise<void> {
    this.#lastSeq = (await this.timeline()).entries.at(-1)?.seq ?? 0;
  }

  /** Clicks in a row, and waits until that is told as `kind`. */
  async click(
    row: number,
    { x = 100, kind = "click", ...more }: { x?: number; kind?: string; [name: string]: unknown } = {},
  ): Promise<void> {
    for (const action of ["down", "up"]) this.live.send({ type: "mouse", action, x, y: row * 40 + 15, ...more });
    await this.until(kind);
  }

  /** Drags from a row to another one. */
  drag(from: number, to: number): void {
    this.live.send({ type: "mouse", action: "down", x: 100, y: from * 40 + 15 });
    for (const y of [from * 40 + 30, to * 40]) this.live.send({ type: "mouse", action: "move", x: 110, y, buttons: 1 });
    this.live.send({ type: "mouse", action: "up", x: 120, y: to * 40 + 15 });
  }

  /** Types into the field of a row. */
  async fill(row: number, text: string): Promise<void> {
    await this.click(row);
    this.live.send({ type: "text", text });
  }

  /** Presses a key, and waits until it is told. */
  async press(key: string, modifiers = 0): Promise<void> {
    for (const action of ["down", "up"]) this.live.send({ type: "key", action, key, modifiers });
    await this.until("press");
  }

  /** Opens an address, and waits until its title is shown. */
  async go(url: string, title: string): Promise<void> {
    this.live.send({ type: "address", url });
    await this.until("navigation");
    await this.shows(title);
  }

  /** Waits until the tab with a title is shown. */
  async shows(title: string): Promise<void> {
    await this.live.next((one) => one.type === "page" && one["title"] === title);
  }

  /** Closes the tab with a title. */
  async closeTab(title: string): Promise<void> {
    const isTab = (one: unknown): one is { title: string; tab: string } =>
      typeof one === "object" && one !== null && "title" in one && one.title === title;
    const tabs = this.live.received
      .filter(({ type }) => type === "tabs")
      .flatMap((one) => (Array.isArray(one["tabs"]) ? one["tabs"].filter(isTab) : []));
    this.live.send({ type: "tab", action: "close", tab: tabs.at(-1)?.tab ?? "" });
  }

  /** Waits for the next entry of a kind in the timeline. */
  async until(kind: string): Promise<void> {
    await vi.waitFor(async () => {
      const { entries } = await this.timeline();
      const found = entries.find((entry) => entry.seq > this.#lastSeq && entry.kind === kind);
      if (!found) throw new Error(`no ${kind} in ${JSON.stringify(entries.slice(-5))}`);
      this.#lastSeq = found.seq;
    }, patience);
  }

  /** The timeline of the session. */
  async timeline(): Promise<TimelineView> {
    return readAnswer<TimelineView>(await this.#running.ask("GET", `/control/sessions/${this.id}/timeline`));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#running.end(this.id);
  }
}
