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

/**
 * Parses an act that the script in a page reported; undefined when it is malformed. A page process is not trusted: all fields are checked
 * and truncated.
 */
export function readAct(payload: string): PageAct | undefined {
  const message = payload.length > 10_000 ? undefined : parseMessage(payload);
  if (!message || !isKind(message["kind"])) return undefined;
  const { typing, isGoingOn } = message;
  const { kind, value, withheld, checked, key, button, to, modifiers } = message;
  const count = readCount(message["count"]);
  const dropped = readCount(message["dropped"]);
  const target = readTarget(message["target"]);
  const ageMs = typeof message["ageMs"] === "number" ? Math.min(Math.max(message["ageMs"], 0), 60_000) : 0;
  return {
    kind,
    trusted: message["trusted"] === true,
    target,
    ageMs,
    ...(isReason(withheld)
      ? { value: null, withheld }
      : typeof value === "string" && { value: value.slice(0, most.value) }),
    ...(message["isPartial"] === true && { isPartial: true }),
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
