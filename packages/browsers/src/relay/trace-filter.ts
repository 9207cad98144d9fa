import { type Fields, isFields, asText } from "../devtools/message.ts";

/** Limit of buffered events whose process is not known yet, in characters. */
const maxWaiting = 64 * 2 ** 20;

/** Events of the browser process about the frames of the traced page. */
const frameEvents: ReadonlySet<unknown> = new Set([
  "TracingStartedInBrowser",
  "FrameCommittedInBrowser",
  "ProcessReadyInBrowser",
  "FrameDeletedInBrowser",
]);

/** Screenshots of the traced page; Chromium takes them of no other one. */
const isScreenshot = ({ name, cat }: Fields): boolean =>
  name === "Screenshot" && cat === "disabled-by-default-devtools.screenshot";

/** Returns whether an event names a process or a thread, which is the same in every browser. */
const isName = ({ ph, name }: Fields): boolean => ph === "M" && (name === "process_name" || name === "thread_name");

/**
 * Filters a trace for one page. Chromium traces all of its processes, including those with pages of other sessions.
 *
 * Keeps events of processes that render frames of the page (Chromium never shares one between contexts), and events of the
 * browser process about those frames. Drops everything else.
 */
export class TraceFilter {
  readonly #browserPid: number;
  readonly #frames: Set<string>;
  readonly #pids = new Set<unknown>();
  readonly #browserEvents: Fields[] = [];
  /** Events of each process, which belong to the page if the process renders it. */
  readonly #eventsByProcess = new Map<unknown, Fields[]>();
  #bufferedCharacters = 0;
  #hasDataLoss = false;

  /**
   * @param browserPid - Id of the browser process.
   * @param mainFrameId - Main frame of the page, equal to its target id.
   */
  constructor(browserPid: number, mainFrameId: string) {
    this.#browserPid = browserPid;
    this.#frames = new Set([mainFrameId]);
  }

  /** True when events were dropped because there were too many. */
  get hasDataLoss(): boolean {
    return this.#hasDataLoss;
  }

  /**
   * Adds events as they arrive.
   *
   * @param size - Their length as text, in characters.
   */
  add(events: unknown, size: number): void {
    if (!Array.isArray(events)) return;
    for (const event of events.filter(isFields)) {
      if (event["pid"] === this.#browserPid) this.#addOfBrowser(event);
      else if (this.#bufferedCharacters < maxWaiting) {
        this.#bufferedCharacters += size / events.length;
        const known = this.#eventsByProcess.get(event["pid"]);
        if (known) known.push(event);
        else this.#eventsByProcess.set(event["pid"], [event]);
      } else this.#hasDataLoss = true;
    }
  }

  /** Returns the events of the page, after the last one. */
  finish(): Fields[] {
    return [...this.#browserEvents, ...[...this.#pids].flatMap((pid) => this.#eventsByProcess.get(pid) ?? [])];
  }

  #addOfBrowser(event: Fields): void {
    const isKept = frameEvents.has(event["name"]) ? this.#isOfPage(event) : isName(event) || isScreenshot(event);
    if (isKept) this.#browserEvents.push(event);
  }

  #isOfPage({ name, args }: Fields): boolean {
    const data = isFields(args) && isFields(args["data"]) ? args["data"] : {};
    if (name !== "TracingStartedInBrowser") return this.#addFrame(data);
    const frames: unknown = data["frames"];
    // Parents come before their children. The event is dropped if a frame belongs to another page.
    return Array.isArray(frames) && frames.every((frame) => isFields(frame) && this.#addFrame(frame));
  }

  /** Adds a frame and its process; returns whether it belongs to the page. */
  #addFrame({ frame, parent, processId }: Fields): boolean {
    const id = asText(frame);
    if (id === undefined || !(this.#frames.has(id) || this.#frames.has(asText(parent) ?? ""))) return false;
    this.#frames.add(id);
    // 0 or the browser's own id means that the process does not exist yet.
    if (typeof processId === "number" && processId > 0 && processId !== this.#browserPid) this.#pids.add(processId);
    return true;
  }
}
