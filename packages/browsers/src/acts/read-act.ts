import { type Fields, isFields, parseMessage } from "../devtools/message.ts";
import type { PageAct, ActTarget, Withheld } from "./act.ts";
import { readPlace } from "./read-place.ts";

const kinds: ReadonlySet<unknown> = new Set<PageAct["kind"]>([
  "click",
  "fill",
  "select",
  "check",
  "upload",
  "press",
  "scroll",
  "drag",
]);
const reasons: ReadonlySet<unknown> = new Set<Withheld>(["password", "one-time-code", "card", "secret"]);
/** Longest texts, in characters: of a value, a name and a role, a key. */
const most = { value: 500, name: 100, key: 40 } as const;

/** Reads an act as the script in a page told it; undefined when it is none. A process of a page is not trusted: all is checked, and cut. */
export function readAct(payload: string): PageAct | undefined {
  const told = payload.length > 10_000 ? undefined : parseMessage(payload);
  if (!told || !isKind(told["kind"])) return undefined;
  const { typing, isGoingOn } = told;
  const { kind, value, withheld, checked, key, button, to, modifiers } = told;
  const count = readCount(told["count"]);
  const dropped = readCount(told["dropped"]);
  const target = readTarget(told["target"]);
  const ageMs = typeof told["ageMs"] === "number" ? Math.min(Math.max(told["ageMs"], 0), 60_000) : 0;
  return {
    kind,
    trusted: told["trusted"] === true,
    target,
    ageMs,
    ...(isReason(withheld)
      ? { value: null, withheld }
      : typeof value === "string" && { value: value.slice(0, most.value) }),
    ...(told["isPartial"] === true && { isPartial: true }),
    ...(typeof modifiers === "string" && modifiers !== "" && { modifiers: modifiers.slice(0, most.key) }),
    ...(typeof typing === "number" && { typing, isGoingOn: isGoingOn === true }),
    ...(typeof checked === "boolean" && { checked }),
    ...(kind === "press" && { key: typeof key === "string" ? key.slice(0, most.key) : null }),
    ...(count > 0 && { count }),
    ...((button === "middle" || button === "right") && { button }),
    ...(isFields(to) && { to: { x: readNumber(to["x"]), y: readNumber(to["y"]) } }),
    ...(dropped > 0 && { dropped }),
  };
}

function readTarget(target: unknown): ActTarget | null {
  if (!isFields(target)) return null;
  const { role, name }: Fields = target;
  const place = readPlace(target["place"]);
  return {
    role: typeof role === "string" ? role.slice(0, most.name) : null,
    name: typeof name === "string" ? name.slice(0, most.name) : "",
    ...(place && { place }),
  };
}

function isKind(kind: unknown): kind is PageAct["kind"] {
  return kinds.has(kind);
}

function isReason(why: unknown): why is Withheld {
  return reasons.has(why);
}

function readNumber(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) ? Math.round(value) : 0;
}

function readCount(value: unknown): number {
  return Math.min(Math.max(readNumber(value), 0), 1_000_000);
}
