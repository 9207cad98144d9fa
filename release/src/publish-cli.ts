// Publishes a release that was made: npm run publish-release -- FOLDER [--registry URL] [--no-provenance]
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { publishRelease } from "./publish-release.ts";

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { registry: { type: "string" }, "no-provenance": { type: "boolean" } },
  });
  const [folder, ...others] = positionals;
  if (folder === undefined || others.length > 0) throw new Error("give the folder of one release");
  await publishRelease(resolve(process.env["INIT_CWD"] ?? ".", folder), {
    registry: values.registry,
    provenance: values["no-provenance"] !== true,
    onPackage: (sentence) => console.log(sentence),
  });
} catch (error) {
  console.error(`publish-release: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
