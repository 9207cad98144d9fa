import type { StreamEvent } from "../events/event.ts";
import { createLayout, type EventLayout } from "./layout.ts";
import { findOffset, type Place } from "./field-values.ts";
import { splitLine } from "./line-fields.ts";

/** Reads events whose lines are like those of events before, which JSON.parse has read. */
export interface LearnedLayouts {
  /** Begins another text. */
  begin(): void;
  /**
   * Reads the line at an offset of a text, whose lines are all complete.
   *
   * @returns the event that JSON.parse would have given; undefined when no layout fits. Never a terminal event.
   */
  read(text: string, at: number): StreamEvent | undefined;
  /** The end of the line that was read. */
  readonly place: Readonly<Place>;
  /** Learns the layout of a line that was not read, and whose event is known. */
  learn(text: string, at: number, end: number, event: StreamEvent): void;
}

/** Largest number of layouts; a new one replaces the one that is used least. */
const maxLayouts = 6;

/** Length of the longest line that is learned, in characters: in longer ones, JSON.parse takes the least time. */
export const maxLine = 1024;

/**
 * Cost of learning a line, with its share of a reader. Each line that was read, or might have been, pays 1, and one of three that
 * were not read is learned: an odd number, as events often alternate between two types.
 */
const cost = 255; // divisible by three

/** Largest credit. */
const maxCredit = 64 * cost;

/** Creates a reader that has learned nothing. */
export function createLearnedLayouts(): LearnedLayouts {
  const layouts: EventLayout[] = [];
  let credit = maxCredit;
  const place: Place = { at: 0, backslash: -1 };
  /** True after a long line that was not read: the next one is likely to be long, too. */
  let isLong = false;
  return {
    place, // not a getter, which takes as long as the rest of a short line
    begin() {
      place.backslash = -1;
    },
    read(text, at) {
      if (isLong) return undefined;
      for (let index = 0; index < layouts.length; index++) {
        const layout = layouts[index];
        place.at = at;
        const event = layout?.read(text, place);
        if (!layout || !event) continue;
        if (place.at - at > maxLine) isLong = true;
        if (credit < maxCredit) credit++;
        if (index > 0) layouts.unshift(...layouts.splice(index, 1));
        return event;
      }
      return undefined;
    },
    learn(text, at, lineEnd, event) {
      isLong = lineEnd - at > maxLine;
      if (isLong || ++credit < cost || credit % 3 > 0) return;
      credit -= cost;
      if (isNested(text, at, lineEnd)) return;
      const line = splitLine(text.slice(at, lineEnd));
      if (!line || layouts.some((layout) => layout.extend(line))) return;
      const layout = createLayout(line, event.type === "unknown" && event.event ? event.event : event);
      if (layout && layouts.push(layout) > maxLayouts) layouts.splice(-2, 1);
    },
  };
}

/** Returns whether a line may have nested values: its text may also have such brackets in a string. */
function isNested(text: string, at: number, lineEnd: number): boolean {
  const from = text.indexOf("{", at) + 1;
  return findOffset(text, "{", from) < lineEnd || findOffset(text, "[", from) < lineEnd;
}
