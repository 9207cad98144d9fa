import { fileURLToPath } from "node:url";
import type { Workshop } from "./workshop.ts";

const getGeneratedPath = (name: string): string => fileURLToPath(new URL(`../generated/${name}`, import.meta.url));
const older = getGeneratedPath("openapi-3.1.json");
const all = [getGeneratedPath("openapi.json"), getGeneratedPath("openapi-mock.json"), older];
const redocly = fileURLToPath(new URL("../redocly.yaml", import.meta.url));

/** A validator: what it is run with, and what it can't read. */
interface Validator {
  readonly program: readonly [string, ...string[]];
  readonly documents: readonly string[];
}

const validators: Readonly<Record<string, Validator>> = {
  Spectral: {
    program: ["@stoplight/spectral-cli", "lint", "--fail-severity=hint", "-r", "spectral.yaml"],
    documents: all,
  },
  Redocly: { program: ["@redocly/cli:redocly", "lint", "--config", redocly], documents: all },
  Scalar: { program: ["node:scalar.mjs"], documents: all },
  "swagger-parser": { program: ["node:swagger-parser.mjs"], documents: [older] },
};

/** What the validators say of the published documents; empty when they say nothing. */
export async function runValidators(workshop: Workshop): Promise<string[]> {
  const complaints: string[] = [];
  for (const [name, { program, documents }] of Object.entries(validators)) {
    for (const document of documents) {
      const { code, output } = await workshop.run(...program, document);
      if (code !== 0 || /\bwarning\b/i.test(output)) complaints.push(`${name}: ${output.slice(-1500)}`);
    }
  }
  return complaints;
}

/** Programs that refuse OpenAPI 3.2, as the table says. */
const refusing: readonly (readonly [string, ...string[]])[] = [
  ["node:swagger-parser.mjs", getGeneratedPath("openapi.json")],
  ["openapi-zod-client", getGeneratedPath("openapi.json"), "-o", "refused.ts"],
];

/** The programs that no longer refuse OpenAPI 3.2. */
export async function listMissingRefusals(workshop: Workshop): Promise<string[]> {
  const results = await Promise.all(refusing.map((program) => workshop.run(...program)));
  return refusing.flatMap(([program], index) =>
    results[index]?.code === 0 ? [`${program} reads OpenAPI 3.2 now`] : [],
  );
}
