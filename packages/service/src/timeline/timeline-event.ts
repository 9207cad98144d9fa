import type { PageAct } from "@cloud-browser/browsers";
import type { AskedChange } from "./asked-change.ts";
import type { ToldAddress } from "./told-address.ts";

/**
 * Who did something: a run of an automation, a client that drives by CDP, a person at a live viewer, the page itself, or the service, which
 * opens the first page and ends a session.
 */
export type Actor = "run" | "client" | "person" | "page" | "service";

/** Something that is told in a timeline, without the moment. */
export type TimelineEvent = { readonly by: Actor; readonly tab?: number } & (
  | {
      readonly kind: "tab-opened";
      /** Number of the tab whose page has opened it; undefined for one that no page has opened. */
      readonly opener?: number;
    }
  | {
      readonly kind: "tab-closed";
      /** True when somebody closed it, and no page itself. */
      readonly is_asked?: true;
    }
  | ({
      readonly kind: "navigation";
      /** True when the document stayed: only its address changed. */
      readonly same_document: boolean;
      /** How somebody asked for it, not by an act on the page; undefined when nobody did. */
      readonly asked?: Exclude<AskedChange["kind"], "close">;
      /** The address that was asked for, where the page is at another one now. */
      readonly requested?: ToldAddress;
    } & ToldAddress)
  | ({
      readonly kind: PageAct["kind"];
      /** True for a fill of which the end was not seen, as its document went: the field may have held more. */
      readonly unfinished?: true;
      /** True for a value that lacks something: the queries of addresses in it, or what is beyond its longest. */
      readonly is_partial?: true;
    } & Omit<PageAct, "kind" | "trusted" | "ageMs" | "typing" | "isGoingOn" | "isPartial">)
  | {
      readonly kind: "dialog";
      readonly type: string;
      readonly message: string | null;
      /** True when the message lacks something: the queries of addresses in it, or what is beyond its longest. */
      readonly is_partial?: true;
    }
  | { readonly kind: "dialog-closed"; readonly accepted: boolean }
  | { readonly kind: "download"; readonly url: string; readonly file_name: string }
  | { readonly kind: "run-started"; readonly thread_id: string }
  | {
      readonly kind: "step";
      /** Name of its tool, as in the events of the run. */
      readonly tool: string;
      /** Result; null for one that the end of the run broke off, or that failed. */
      readonly result: string | null;
      /** How long it took. */
      readonly duration_ms: number;
    }
  | {
      readonly kind: "run-ended";
      readonly thread_id: string;
      /** Type of its terminal event. */
      readonly outcome: string;
    }
  | {
      readonly kind: "handover";
      /** How far it is, as `asked` or `done`. */
      readonly state: string;
      /** Text that was asked for, or answered; without secrets. */
      readonly words?: string;
    }
  | {
      /** Entries that were left out before this one: more came than are kept. */
      readonly kind: "dropped";
      readonly count: number;
    }
  | { readonly kind: "end"; readonly reason: string }
);

/** An entry of a timeline. */
export type TimelineEntry = TimelineEvent & {
  /** Its number: 1 for the first. */
  readonly seq: number;
  /** When, in milliseconds from the creation of the session. */
  readonly at_ms: number;
};
