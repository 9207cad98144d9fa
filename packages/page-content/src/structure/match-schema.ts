import type { DeclaredContent, Json } from "../in-page/declared/declared-data.ts";
import { collectSources } from "./page-sources.ts";
import { mainThing } from "./main-thing.ts";
import { listAlternatives } from "./schema/schema-alternatives.ts";
import { StepBudget, StepsExhausted } from "./schema/step-budget.ts";
import { SchemaMatcher } from "./schema-matcher.ts";

/** Steps of a match: a schema of a person takes a few hundred. */
const maxSteps = 200_000;

/** Match of a schema with the data of a page. */
export type Match =
  | {
      /** Everything that the schema requires; nothing that the page does not say. */
      readonly data: Json;
    }
  | {
      /**
       * Required properties that the page does not declare, as paths such as `offers[0].price`; none when the schema names nothing to
       * look for.
       */
      readonly missing: readonly string[];
      /** Further explanation, as a sentence. */
      readonly note?: string;
      /** Sources that were read. */
      readonly looked: readonly string[];
    };

/**
 * Fills a JSON Schema from what a page declares. Names are compared by their words and usual synonyms, values are
 * converted where nothing is lost. What the page does not declare stays out: optional properties are left away, required
 * ones that may be null are null, others make the match fail. `default` is not used. The result is still to be
 * validated.
 */
export function matchSchema(schema: Json, declared: DeclaredContent): Match {
  const sources = collectSources(declared);
  const { looked } = sources;
  const budget = new StepBudget(maxSteps);
  try {
    const { thing, note } = mainThing(schema, sources, listAlternatives(schema, schema, budget));
    const things = [...(thing ? [thing] : []), ...sources.groups.map((group) => group.thing), ...sources.page];
    const filled = new SchemaMatcher(schema, sources, budget, thing).match({ things, page: true });
    if ("value" in filled) return { data: filled.value };
    return { missing: filled.missing, looked, ...(note ? { note } : {}) };
  } catch (error) {
    if (!(error instanceof StepsExhausted)) throw error;
    return { missing: [], looked, note: "The schema is too large to match." };
  }
}
