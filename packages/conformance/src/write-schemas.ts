/** Writes the schemas of reports and of the configuration file beside the built package; the last step of the build. */
import { writeFileSync } from "node:fs";
import { configurationSchema } from "./configuration/configuration-schema.ts";
import { reportSchema } from "./report/report-schema.ts";

for (const [name, schema] of Object.entries({ configuration: configurationSchema(), report: reportSchema })) {
  writeFileSync(new URL(`../dist/${name}.schema.json`, import.meta.url), `${JSON.stringify(schema, null, 2)}\n`);
}
