import type { PageEvent } from "@cloud-browser/browsers";
import type { AskedChange } from "./asked-change.ts";
import type { Actor } from "./timeline-event.ts";

/** An asked change, and who asked. */
interface Asked {
  readonly by: Actor;
  readonly change: AskedChange;
  readonly ms: number;
}

/** How long it may take until what was asked begins, in milliseconds. */
const beginsWithinMs = 10_000;

/**
 * Distinguishes changes that somebody asked for from those that pages make by themselves: a click on a link and a typed address both end in
 * a navigation.
 */
export class AskedChanges {
  #last: Asked | undefined;
  /** By tab: what the navigation is that is under way. */
  readonly #underWay = new Map<number, AskedChange>();

  /** Somebody asks for a change of the tab that is shown. */
  note(by: Actor, change: AskedChange): void {
    this.#last = { by, change, ms: performance.now() };
  }

  /** A client sends a command. @param params - Its parameters. */
  noteCommand(method: string, params: Readonly<Record<string, unknown>>): void {
    if (method === "Page.navigate" && typeof params["url"] === "string")
      this.note("client", { kind: "address", url: params["url"] });
    else if (method === "Page.reload") this.note("client", { kind: "reload" });
    else if (method === "Page.navigateToHistoryEntry") this.note("client", { kind: "history" });
    else if (method === "Page.close" || method === "Target.closeTarget") this.note("client", { kind: "close" });
  }

  /** A navigation to another document begins. */
  begin({ tab, url, type }: Extract<PageEvent, { kind: "navigation-started" }>): void {
    const fits = ({ kind, ...more }: AskedChange): boolean => {
      if (kind === "address") return "url" in more && isSame(more.url, url);
      if (kind === "reload") return type.startsWith("reload");
      return kind !== "close" && type.startsWith("history");
    };
    const request = this.#take(fits);
    if (request) this.#underWay.set(tab, request);
    else this.#underWay.delete(tab);
  }

  /** Returns what the navigation of a tab was asked as; undefined when nobody asked for it. */
  end({ tab, url, sameDocument, byScript }: Extract<PageEvent, { kind: "navigation" }>): AskedChange | undefined {
    const change = this.#underWay.get(tab);
    this.#underWay.delete(tab);
    if (change || !sameDocument || byScript) return change;
    return this.#take(({ kind, ...more }) =>
      kind === "address" ? "url" in more && isSame(more.url, url) : kind !== "reload" && kind !== "close",
    );
  }

  /** Returns whether somebody asked for the end of a tab. */
  hasClosed(): boolean {
    return this.#take(({ kind }) => kind === "close") !== undefined;
  }

  #take(fits: (change: AskedChange) => boolean): AskedChange | undefined {
    const request = this.#last;
    if (!request || performance.now() - request.ms > beginsWithinMs || !fits(request.change)) return undefined;
    this.#last = undefined;
    return request.change;
  }
}

function isSame(one: string, other: string): boolean {
  return URL.parse(one)?.href === URL.parse(other)?.href;
}
