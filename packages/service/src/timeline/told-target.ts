import type { ActPlace, ActTarget } from "@cloud-browser/browsers";
import { withoutQueries } from "./without-queries.ts";

/** Returns what a timeline tells of an element: nothing of it holds the query of an address. */
export function redactTarget({ role, name, place }: ActTarget): ActTarget {
  return { role, name: withoutQueries(name), ...(place && { place: redactPlace(place) }) };
}

function redactPlace(place: ActPlace): ActPlace {
  const keys = place.keys.filter((key) => isWhole(key));
  if (place.obstacle !== undefined || (keys.length > 0 && isWhole(place.frames ?? []))) return { ...place, keys };
  return { keys: [], obstacle: "ambiguous" };
}

/** Returns whether a timeline tells all of what something is found by. */
function isWhole(key: object): boolean {
  const text = JSON.stringify(key);
  return withoutQueries(text) === text;
}
