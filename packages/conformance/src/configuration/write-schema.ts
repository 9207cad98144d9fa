/** Writes the schema of the configuration file beside the built package; the last step of the build. */
import { writeFileSync } from "node:fs";
import { configurationSchema } from "./configuration-schema.ts";

const file = new URL("../../dist/configuration.schema.json", import.meta.url);
writeFileSync(file, `${JSON.stringify(configurationSchema(), null, 2)}\n`);
