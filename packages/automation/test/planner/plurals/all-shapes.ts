import { blindShapes } from "./blind-shapes.ts";
import { furtherShapes } from "./further-shapes.ts";
import type { PageShape } from "./shape.ts";
import { shopShapes } from "./shop-shapes.ts";
import { tableShapes } from "./table-shapes.ts";
import { textShapes } from "./text-shapes.ts";
import { trapShapes } from "./trap-shapes.ts";

/** All kinds of pages. */
export const allShapes: readonly PageShape[] = [
  ...shopShapes,
  ...tableShapes,
  ...textShapes,
  ...furtherShapes,
  ...trapShapes,
  ...blindShapes,
];
