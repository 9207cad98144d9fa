import type { PageAct, PageEvent, PooledContext } from "@cloud-browser/browsers";
import { Actors } from "./actors.ts";
import type { AskedChange } from "./asked-change.ts";
import { AskedChanges } from "./asked-changes.ts";
import { ConsoleRing } from "./console-ring.ts";
import { RunSteps } from "./run-steps.ts";
import { Timeline } from "./timeline.ts";
import type { TimelineEvent } from "./timeline-event.ts";
import { redactForTimeline, type ToldAddress } from "./told-address.ts";
import { redactTarget } from "./told-target.ts";
import type { Actor, TimelineEntry } from "./timeline-event.ts";
import { withoutQueries } from "./without-queries.ts";

/** Acts that say what a field holds now. */
const setting: ReadonlySet<PageAct["kind"]> = new Set(["fill", "select"]);

/** An act that is to be told, and when it was, on the monotonic clock. */
interface Told {
  readonly by: Actor;
  readonly act: PageAct;
  readonly atMs: number;
}

/** History of a session: its timeline, its console, and who acts. */
export class SessionHistory {
  /** Its timeline. */
  readonly timeline: Timeline;
  /** Messages and failed requests of its pages. */
  readonly console: ConsoleRing;
  /** Who acts. */
  readonly actors = new Actors();
  readonly #requests = new AskedChanges();
  readonly #withoutSecrets: (address: string) => string;
  /** By tab: who caused the navigation that is under way. */
  readonly #causes = new Map<number, Actor>();
  /** By tab: its address, as it was told. */
  readonly #addresses = new Map<number, string>();
  /** By tab: typing that goes on. */
  readonly #typings = new Map<number, Told>();
  /** By tab: the typing that was told last. */
  readonly #toldTypings = new Map<number, Told>();
  #steps: RunSteps | undefined;

  /**
   * @param withoutSecrets - Removes what is secret from an address.
   * @param ageMs - How long ago the session was created, in milliseconds.
   * @param onEntry - Called with each entry of its timeline.
   */
  constructor(
    pooled: Pick<PooledContext, "context" | "watchPages">,
    withoutSecrets: (address: string) => string,
    ageMs: number,
    onEntry?: (entry: TimelineEntry) => void,
  ) {
    this.timeline = new Timeline(ageMs, onEntry);
    this.console = new ConsoleRing(ageMs);
    this.#withoutSecrets = withoutSecrets;
    pooled.watchPages((event) => this.#observe(event));
    pooled.context.on("requestfailed", (request) => {
      const error = request.failure()?.errorText ?? "";
      // A page that is left has no use for what it asked for.
      if (error === "net::ERR_ABORTED") return;
      this.console.add({ kind: "failed-request", tab: 0, url: request.url(), status: null, error });
    });
  }

  /** A run begins in this session. From now on what fields hold is told of nobody: a run may have put secrets into them. */
  beginRun(runId: string): void {
    this.#steps = new RunSteps(this.timeline, runId);
  }

  /** Takes an event of the run of this session. */
  observeRun(event: Parameters<RunSteps["observe"]>[0]): void {
    this.#steps?.observe(event);
  }

  /** The run of this session has ended. */
  endRun(event: Parameters<RunSteps["end"]>[0]): void {
    this.#steps?.end(event);
  }

  /** Somebody asks for a change of the tab that is shown, not by an act on its page. */
  noteAsked(by: Actor, change: AskedChange): void {
    this.#requests.note(by, change);
  }

  /** A client sends a command that may change a page. @param method - As `Page.navigate`. */
  noteCommand(method: string, params: Readonly<Record<string, unknown>>): void {
    this.actors.noteCommand(method);
    this.#requests.noteCommand(method, params);
  }

  /** True while somebody types: what they type is told when they have ended. */
  get isTypedInto(): boolean {
    return this.#typings.size > 0;
  }

  /** The session ends. */
  end(reason: string): void {
    for (const tab of this.#typings.keys()) this.#endTyping(tab);
    this.timeline.record({ kind: "end", by: "service", reason });
  }

  #observe(event: PageEvent): void {
    const { timeline, actors } = this;
    const { tab } = event;
    switch (event.kind) {
      case "console":
      case "failed-request":
        return this.console.add(event);
      case "tab-opened":
        return timeline.record({ ...event, by: tab === 1 ? "service" : actors.findCause() });
      case "tab-closed": {
        this.#endTyping(tab);
        const closed = this.#requests.hasClosed() ? { is_asked: true as const } : {};
        return timeline.record({ kind: event.kind, by: actors.findCause(), tab, ...closed });
      }
      case "navigation-started":
        this.#requests.begin(event);
        return void this.#causes.set(tab, actors.findCause());
      case "navigation": {
        const address = this.#redact(event.url);
        const { url } = address;
        const change = this.#requests.end(event);
        // A page that searches while somebody types changes its query at each key.
        if (event.sameDocument && this.#addresses.get(tab) === url) return;
        this.#addresses.set(tab, url);
        if (!event.sameDocument) this.#endTyping(tab);
        const by = event.sameDocument ? actors.findCause() : (this.#causes.get(tab) ?? actors.findCause());
        if (!event.sameDocument) this.#causes.delete(tab);
        return timeline.record({
          kind: "navigation",
          by,
          tab,
          ...address,
          same_document: event.sameDocument,
          ...this.#describeAsked(change, event.url),
        });
      }
      case "dialog": {
        this.#endTyping(tab);
        const message = this.#steps ? null : withoutQueries(event.message);
        const isPartial = message !== null && (event.isCut || message !== event.message);
        const partial = isPartial ? { is_partial: true as const } : {};
        return timeline.record({ kind: "dialog", by: "page", tab, type: event.type, message, ...partial });
      }
      case "dialog-closed":
        return timeline.record({ kind: "dialog-closed", by: actors.findCause(), tab, accepted: event.accepted });
      case "download": {
        const { url } = this.#redact(event.url);
        return timeline.record({ kind: "download", by: actors.findCause(), tab, url, file_name: event.fileName });
      }
      case "act":
        return this.#act(event.act, tab);
    }
  }

  #act(act: PageAct, tab: number): void {
    const by = this.actors.findActor(act.trusted);
    // What a page does to itself is no act, and a run tells its steps.
    if (by === "page" || by === "run") return;
    const { typing } = act;
    const before = this.#typings.get(tab);
    if (typing !== undefined && before?.act.typing === typing) this.#typings.delete(tab);
    else this.#endTyping(tab);
    if (typing === undefined) return this.#tell({ by, act, atMs: performance.now() }, tab);
    // What was told when something else happened meanwhile is not told again.
    const last = this.#toldTypings.get(tab)?.act;
    if (last?.typing === typing && last.value === act.value) return;
    const newTyping = { by: before?.act.typing === typing ? before.by : by, act, atMs: performance.now() };
    if (act.isGoingOn) return void this.#typings.set(tab, newTyping);
    this.#toldTypings.set(tab, newTyping);
    this.#tell(newTyping, tab);
  }

  /** Tells typing that something else has ended: what comes after it in its tab is told after it. */
  #endTyping(tab: number): void {
    const typing = this.#typings.get(tab);
    if (!typing) return;
    this.#typings.delete(tab);
    this.#toldTypings.set(tab, typing);
    this.#tell(typing, tab, true);
  }

  #tell(
    { by, act: { trusted: _, ageMs, typing: __, isGoingOn: ___, isPartial: isCut = false, ...act }, atMs }: Told,
    tab: number,
    isUnfinished = false,
  ): void {
    const { target } = act;
    const isWithheld = this.#steps !== undefined && setting.has(act.kind);
    const value = isWithheld ? null : act.value;
    const shown = typeof value === "string" ? withoutQueries(value) : value;
    const isPartial = typeof value === "string" && (isCut || shown !== value);
    this.timeline.record(
      {
        by,
        tab,
        ...act,
        target: target && redactTarget(target),
        ...(shown !== undefined && { value: shown }),
        ...(isPartial && { is_partial: true as const }),
        ...(isUnfinished && { unfinished: true as const }),
        ...(isWithheld && { withheld: act.withheld ?? "secret" }),
      },
      ageMs + performance.now() - atMs,
    );
  }

  #redact(url: string): ToldAddress {
    return redactForTimeline(url, this.#withoutSecrets);
  }

  /** Returns how a navigation was asked for, and the address that was, where the page is at another one. */
  #describeAsked(
    change: AskedChange | undefined,
    url: string,
  ): Pick<Extract<TimelineEvent, { kind: "navigation" }>, "asked" | "requested"> {
    if (!change || change.kind === "close") return {};
    const isElsewhere = change.kind === "address" && URL.parse(change.url)?.href !== URL.parse(url)?.href;
    return { asked: change.kind, ...(isElsewhere && { requested: this.#redact(change.url) }) };
  }
}
