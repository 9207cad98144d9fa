import { type Fields, isFields } from "../devtools/message.ts";
import type { ActFrame, ActKey, ActObstacle, ActPlace, ActScope } from "./act-place.ts";

const bys: ReadonlySet<unknown> = new Set<ActKey["by"]>([
  "role",
  "label",
  "placeholder",
  "alt",
  "title",
  "testid",
  "name",
  "id",
  "text",
  "file-input",
]);
const frameBys: ReadonlySet<unknown> = new Set<ActFrame["by"]>(["only", "title", "aria-label", "name", "id"]);
const obstacles: ReadonlySet<unknown> = new Set<ActObstacle>([
  "ambiguous",
  "unnamed",
  "canvas",
  "closed-shadow-root",
  "cross-origin-frame",
  "ambiguous-frame",
  "secret-key",
  "rich-text",
  "large-page",
]);
const most = { characters: 100, keys: 6, frames: 10 } as const;

/** Reads how an element is found again, as the script in a page told it; undefined when it told nothing that makes sense. */
export function readPlace(place: unknown): ActPlace | undefined {
  if (!isFields(place)) return undefined;
  const { keys, frames = [], obstacle } = place;
  if (isObstacle(obstacle)) return { keys: [], obstacle };
  if (!Array.isArray(keys) || !Array.isArray(frames) || frames.length > most.frames) return undefined;
  const readKeys = keys.slice(0, most.keys).flatMap((key: unknown) => readKey(key) ?? []);
  const readFrames = frames.flatMap((frame: unknown) => readFrame(frame) ?? []);
  if (readKeys.length === 0 || readFrames.length !== frames.length) return undefined;
  return { ...(readFrames.length > 0 && { frames: readFrames }), keys: readKeys };
}

function readKey(key: unknown): ActKey | undefined {
  if (!isFields(key) || !isBy(key["by"]) || !isText(key["value"])) return undefined;
  const { by, value, within } = key;
  if (within === undefined) return { by, value };
  const scope = isFields(within) ? readScope(within) : undefined;
  return scope && { by, value, within: scope };
}

function readScope({ role, name, text, field }: Fields): ActScope | undefined {
  if (isText(field) && field !== "") return { field };
  if (!isText(role) || !/^[a-z]+$/.test(role)) return undefined;
  if (isText(text) && text !== "") return { role, text };
  return isText(name) && name !== "" ? { role, name } : undefined;
}

function readFrame(frame: unknown): ActFrame | undefined {
  if (!isFields(frame) || !isFrameBy(frame["by"]) || !isText(frame["value"])) return undefined;
  const { by, value } = frame;
  return by === "only" && !/^i?frame$/.test(value) ? undefined : { by, value };
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value.length <= most.characters;
}

function isBy(by: unknown): by is ActKey["by"] {
  return bys.has(by);
}

function isFrameBy(by: unknown): by is ActFrame["by"] {
  return frameBys.has(by);
}

function isObstacle(obstacle: unknown): obstacle is ActObstacle {
  return obstacles.has(obstacle);
}
