/** Rules on structured data of the given page, whose schema asks for its heading alone. */
import { Ajv2020 } from "ajv/dist/2020.js";
import { isObject } from "../../http/json.ts";
import { nothingSeen, verdict, type Judgement } from "../check.ts";
import type { GivenScrape, GivenPage } from "./given-page.ts";
import { headingSchema } from "./given-probes.ts";
import { onPage, type GivenRule } from "./rule.ts";
import { wordsOnlyIn } from "./shown.ts";

const fits = new Ajv2020({ validateSchema: false }).compile(headingSchema);
const beside: readonly string[] = ["plain"];

/** Judges an answer where the page has the heading that the schema asks for. */
function onHeading(judge: (structured: unknown) => Judgement): (answer: GivenScrape, page: GivenPage) => Judgement {
  return ({ seen }, { plain }) =>
    wordsOnlyIn(plain.shown, "heading").length === 0
      ? nothingSeen("The page shows no heading that could be extracted.")
      : judge(seen.structured);
}

const rule = (check: string, judge: (structured: unknown) => Judgement): GivenRule =>
  onPage({ check, of: ["structured"], beside, judge: onHeading(judge) });

/** The rules. What an extraction finds is left open; that it follows the schema is not. */
export const structureRules: readonly GivenRule[] = [
  rule("page/structured-follows-schema", (structured) => {
    if (!isObject(structured) || (structured["success"] ?? true) !== true || (structured["data"] ?? null) === null)
      return nothingSeen("No extraction succeeded with data.");
    return verdict(fits(structured["data"]), {
      where: "body /structured/data",
      expected: "data that follows the schema in `response_format`, since the extraction succeeded",
      received: JSON.stringify(structured["data"]),
    });
  }),
  rule("page/structured-has-data", (structured) => {
    if (!isObject(structured) || structured["success"] !== true)
      return nothingSeen("No extraction said by name that it succeeded.");
    return verdict((structured["data"] ?? null) !== null, {
      where: "body /structured/data",
      expected: "the extracted data, since the page has a heading and the extraction succeeded",
      received: "none",
    });
  }),
];
