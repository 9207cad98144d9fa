import type { Direction } from "./changes.ts";
import type { DiffContext } from "./diff-context.ts";
import { readNode, type Node } from "./document.ts";
import { readMeaning } from "./schema-form.ts";
import { describedBody, impliedItem } from "./streams.ts";

/** Place and direction of a body. */
export interface MediaPlace {
  /** Direction of the body. */
  readonly direction: Direction;
  /** Place of the body, from the outside inwards. */
  readonly where: readonly string[];
}

/** Compares the media types of a body, the schema of each, and of a stream the schema of its items. */
export function diffMedia(before: unknown, after: unknown, context: DiffContext, place: MediaPlace): void {
  const { list } = context;
  const was = mediaTypes(before);
  const is = mediaTypes(after);
  for (const type of new Set([...was.keys(), ...is.keys()])) {
    const where = [...place.where, type];
    const [old, now] = [was.get(type), is.get(type)].map((media, index) =>
      media === undefined ? undefined : readNode((index === 0 ? context.old : context.now).resolve(media)),
    );
    if (!now) list.add("breaking", where, "the media type was removed");
    else if (!old) list.add("additive", where, "a media type was added");
    else diffMediaType(type, old, now, context, { ...place, where });
  }
}

/** Returns the media types by name, in lower case and without blanks. */
function mediaTypes(content: unknown): Map<string, unknown> {
  return new Map(
    Object.entries(readNode(content)).map(([type, media]) => [type.toLowerCase().replaceAll(" ", ""), media]),
  );
}

function diffMediaType(type: string, old: Node, now: Node, context: DiffContext, place: MediaPlace): void {
  const { list } = context;
  const [was, is] = [describedBody(type, old, context.old), describedBody(type, now, context.now)];
  context.schemas(was.body, is.body, context, place);
  if (was.item !== undefined && is.item !== undefined) {
    // What is only implied has no description that could have changed.
    const implied = was.item === impliedItem || is.item === impliedItem;
    const items = implied
      ? [readMeaning(was.item, context.old), readMeaning(is.item, context.now)]
      : [was.item, is.item];
    context.schemas(items[0], items[1], context, { ...place, where: [...place.where, "item"] });
  }
  const where = [...place.where, "events"];
  if (was.event !== undefined && is.event === undefined)
    list.add("breaking", where, "the events are no longer described");
  else if (was.event === undefined && is.event !== undefined)
    list.add("additive", where, "the events are described now");
  else if (was.event !== undefined) context.schemas(was.event, is.event, context, { ...place, where, events: true });
  list.addDiffering("documentation", place.where, ["example", "examples"], old, now);
  list.addDiffering("breaking", place.where, ["encoding", "prefixEncoding", "itemEncoding"], old, now);
}
