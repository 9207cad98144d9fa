import type { Json, JsonRecord } from "../in-page/declared/declared-data.ts";
import { isRecord } from "./values/json.ts";
import { foldName, nameFit } from "./values/names.ts";
import { withoutFragment, type PageSources } from "./page-sources.ts";
import { listHints } from "./schema/property-hints.ts";
import { isGeneral, pathsFor } from "./values/synonyms.ts";
import { declaredAt, isThing, type Thing } from "./values/things.ts";

/** Types that nearly every page declares, whatever it is about. */
const siteTypes: ReadonlySet<string> = new Set(
  "WebSite Organization Corporation BreadcrumbList ItemList SiteNavigationElement WPHeader WPFooter WPSideBar ImageObject SearchAction ListItem".split(
    " ",
  ),
);

const maxItems = 1_000;
const maxProperties = 300;

/**
 * Finds the main item of a page for a schema: the one that fills most of its properties. An item with the address or name of the page
 * ranks before others of its type. Undefined when several of a type rank equally.
 */
export function mainThing(
  schema: Json,
  sources: PageSources,
  alternatives: readonly JsonRecord[],
): { readonly thing?: Thing; readonly note?: string } {
  const named = alternatives
    .flatMap(({ type, properties }) => (type === "object" && isRecord(properties) ? Object.entries(properties) : []))
    .slice(0, maxProperties);
  const properties = named.map(([name, property]) => [foldName(name)].concat(listHints(property)));
  const title = foldName(isRecord(schema) && typeof schema["title"] === "string" ? schema["title"] : "");
  const ranked = sources.items
    .slice(0, maxItems)
    .map((thing) => ({ thing, score: scoreThing(thing, properties, title), own: isOwn(thing, sources) }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score + other.own - (one.score + one.own));
  const [best, ...others] = ranked;
  if (!best) return {};
  const ties = others.filter(
    ({ thing, score, own }) =>
      score + own === best.score + best.own &&
      getName(thing) !== getName(best.thing) &&
      thing.types[0] === best.thing.types[0],
  );
  if (ties.length === 0) return { thing: best.thing };
  const type = best.thing.types[0]?.slice(0, 40) ?? "no type";
  return {
    note: `The page declares ${ties.length + 1} items of the type ${type} alike, and the schema asks for one.`,
  };
}

/** Counts the properties that an item has, each by any of its keys; more when the schema is named after its type. */
function scoreThing(thing: Thing, properties: readonly (readonly string[])[], title: string): number {
  const isAsked = thing.types.some((type) => nameFit(title, type) > 0);
  const isOfSite = !isAsked && thing.types.some((type) => siteTypes.has(type));
  const answered = properties.filter((keys) =>
    keys.some(
      (key) => !(isOfSite && isGeneral(key)) && pathsFor(key).some((path) => declaredAt(thing, path).length > 0),
    ),
  ).length;
  return isOfSite && answered > 0 ? answered - 0.25 : answered + (isAsked ? 2 : 0);
}

function isOwn(thing: Thing, { about }: PageSources): 0 | 0.5 {
  const paths = ["url", "id", "main entity of page", "url.id", "main entity of page.id"];
  const addresses = paths.flatMap((path) => declaredAt(thing, path));
  const isHere = addresses.some(
    (address) => !isThing(address) && about.addresses.has(withoutFragment(String(address.value))),
  );
  return isHere || about.names.has(getName(thing)) ? 0.5 : 0;
}

function getName(thing: Thing): string {
  const [name] = [...declaredAt(thing, "name"), ...declaredAt(thing, "headline")];
  return name && !isThing(name) ? foldName(String(name.value)) : "";
}
