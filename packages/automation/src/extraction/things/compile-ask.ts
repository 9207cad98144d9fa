import { toSnakeCase } from "../../task/names.ts";
import { toPlural } from "../../task/plurals.ts";
import type { ThingsQuestion } from "../../task/things-question.ts";
import { compileNamePatterns } from "../../targets/same-name.ts";
import {
  findElementSelector,
  describeField,
  isAnything,
  isGeneralNoun,
  isProperty,
  describeNoun,
  writeOthersPattern,
} from "./nouns.ts";
import type { PageAsk } from "./page-ask.ts";

/** Compiles a question into patterns and selectors for the reader in the page. */
export function compileAsk({ properties, of, isBare, place, isAll, as, order }: ThingsQuestion): PageAsk {
  const [only] = properties;
  if (isBare && only !== undefined && findElementSelector(only) !== undefined && only !== "headline")
    return compileAsk({ properties: [], of: only, as, ...(place ? { place } : {}), ...(isAll ? { isAll } : {}) });
  const withPrice = order !== undefined && !properties.some((word) => describeField(word, "").kind === "price");
  const all = withPrice ? [...properties, "price"] : properties;
  const fields = all.map((word) =>
    describeField(word, toSnakeCase(word), of !== undefined && properties.length === 1 ? of : undefined),
  );
  const [bare] = isBare ? properties : [];
  const noun = of ?? bare;
  return {
    fields,
    ...(of === undefined ? {} : { of: describeNoun(of) }),
    isGeneral: noun !== undefined && isGeneralNoun(noun),
    isBare: isBare ?? false,
    others: noun === undefined || isAnything(noun) ? "(?!)" : writeOthersPattern(describeNoun(noun)),
    elements: findElementSelector((properties.length === 0 ? of : bare) ?? ""),
    ...(place
      ? {
          place: {
            kind: place.kind,
            name: place.name,
            names: place.name === undefined ? undefined : compileNamePatterns(place.name).map(({ source }) => source),
          },
        }
      : {}),
    isAll: isAll ?? false,
    as,
  };
}

/** Returns the singular and the plural of the requested things. */
export function nameThings({ properties, of }: ThingsQuestion): { readonly one: string; readonly several: string } {
  const [property, another] = properties;
  const one =
    property === undefined || another !== undefined
      ? (of ?? "thing")
      : of !== undefined && isProperty(property)
        ? `${of} ${property}`
        : property;
  return { one, several: toPlural(one) };
}
