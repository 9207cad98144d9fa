import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Version } from "@cyclonedx/cyclonedx-library/Spec";
import { JsonStrictValidator } from "@cyclonedx/cyclonedx-library/Validation";
import { z } from "zod";
import type { BundledPackage } from "./bundled-code.ts";
import type { CleanClone } from "./clean-clone.ts";
import type { LicensedPart } from "./licences.ts";
import { runProgram } from "./run-program.ts";
import type { PublishedPackage } from "./workspace.ts";

const licensesForm = z
  .array(
    z.looseObject({
      license: z.looseObject({ id: z.string().optional(), name: z.string().optional() }).optional(),
      expression: z.string().optional(),
    }),
  )
  .optional();

const componentForm = z.looseObject({
  type: z.string(),
  "bom-ref": z.string(),
  name: z.string(),
  group: z.string().optional(),
  version: z.string().default(""),
  licenses: licensesForm,
});

type Component = z.infer<typeof componentForm>;

const billForm = z.looseObject({
  metadata: z.looseObject({ component: componentForm }),
  components: z.array(componentForm).default([]),
  dependencies: z.array(z.looseObject({ ref: z.string(), dependsOn: z.array(z.string()).default([]) })).default([]),
});

/** A bill of materials (SBOM) in CycloneDX. */
export interface BillOfMaterials {
  /** The document. */
  readonly text: string;
  /** Everything in it with its licence, in the order of names. */
  readonly parts: readonly LicensedPart[];
}

/**
 * Makes one CycloneDX document of all published packages: what is installed with them, as pnpm lists it, and what is bundled into them.
 * The same commit gives the same document.
 *
 * @param bundled - What is bundled into each package, by its name.
 * @throws {Error} if the document is not as the schema of CycloneDX 1.6 wants it.
 */
export async function makeBillOfMaterials(
  clone: CleanClone,
  packages: readonly PublishedPackage[],
  bundled: ReadonlyMap<string, readonly BundledPackage[]>,
): Promise<BillOfMaterials> {
  const components = new Map<string, Component>();
  const dependencies = new Map<string, Set<string>>();
  for (const bill of await makePackageBills(clone, packages)) {
    for (const component of [bill.metadata.component, ...bill.components]) {
      components.set(component["bom-ref"], { ...component, type: "library" });
    }
    for (const { ref, dependsOn } of bill.dependencies) {
      dependencies.set(ref, new Set([...(dependencies.get(ref) ?? []), ...dependsOn]));
    }
  }
  const roots = packages.map(({ manifest: { name, version } }) => purl(name, version));
  const missing = roots.filter((ref) => !components.has(ref));
  if (missing.length > 0) throw new Error(`pnpm gave no bill of materials of ${missing.join(", ")}`);
  for (const [owner, parts] of bundled) {
    const ref = roots.find((root) => root.startsWith(purl(owner, "")));
    const component = ref === undefined ? undefined : components.get(ref);
    if (component && parts.length > 0) component["components"] = parts.map((part) => describeBundled(part, owner));
  }
  const version = packages[0]?.manifest.version ?? "";
  const main = { type: "application", "bom-ref": "release", name: "cloud-browser", version };
  const content = {
    metadata: {
      timestamp: clone.committedAt.toISOString(),
      tools: { components: [{ type: "application", name: clone.pnpm.at(-1)?.split("@")[0] ?? "pnpm" }] },
      component: main,
    },
    components: sortBy([...components.values()], (component) => component["bom-ref"]),
    dependencies: sortBy(
      [
        { ref: "release", dependsOn: roots.toSorted() },
        ...[...dependencies]
          .filter(([ref]) => components.has(ref))
          .map(([ref, dependsOn]) => ({
            ref,
            dependsOn: [...dependsOn].filter((one) => components.has(one)).toSorted(),
          })),
      ],
      ({ ref }) => ref,
    ),
  };
  const document = {
    $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    serialNumber: `urn:uuid:${getUuid(JSON.stringify(content))}`,
    version: 1,
    ...content,
  };
  const text = `${JSON.stringify(document, undefined, 2)}\n`;
  await checkBillOfMaterials(text);
  const bundledParts = [...bundled.values()].flat();
  const parts = new Map(
    [...[...components.values()].map(getLicensedPart), ...bundledParts].map((part) => [
      `${part.name}@${part.version}`,
      part,
    ]),
  );
  return { text, parts: sortBy([...parts], ([key]) => key).map(([, part]) => part) };
}

/**
 * Checks a document against the schema of CycloneDX 1.6.
 *
 * @throws {Error} with what does not fit.
 */
export async function checkBillOfMaterials(text: string): Promise<void> {
  const problems: unknown = await new JsonStrictValidator(Version.v1dot6).validate(text);
  if (problems !== null) {
    throw new Error(`the bill of materials is not valid CycloneDX 1.6: ${JSON.stringify(problems).slice(0, 1_000)}`);
  }
}

/** One document for each package: only there pnpm lists all that the package depends on itself. */
async function makePackageBills(
  { root, pnpm }: CleanClone,
  packages: readonly PublishedPackage[],
): Promise<z.infer<typeof billForm>[]> {
  const folder = mkdtempSync(join(tmpdir(), "bills-"));
  try {
    const filters = packages.map(({ manifest }) => `--filter=${manifest.name}`);
    const format = ["--sbom-format", "cyclonedx", "--sbom-spec-version", "1.6", "--prod", "--exclude-peers"];
    const args = ["sbom", ...filters, ...format, "--split", "--out", join(folder, "%s.json")];
    await runProgram("npx", [...pnpm, ...args], { cwd: root, minutes: 3 });
    const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".json"));
    return files.toSorted().map((name) => billForm.parse(JSON.parse(readFileSync(join(folder, name), "utf8"))));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function describeBundled({ name, version, license }: BundledPackage, owner: string): object {
  const [group, rest] = name.startsWith("@") ? name.split("/") : [undefined, name];
  return {
    type: "library",
    "bom-ref": `${purl(name, version)}#bundled-by-${owner}`,
    ...(group === undefined ? {} : { group }),
    name: rest,
    version,
    purl: purl(name, version),
    licenses: /\s/.test(license) ? [{ expression: license }] : [{ license: { id: license } }],
  };
}

function getLicensedPart({ group, name, version, licenses = [] }: Component): LicensedPart {
  const license = licenses.map((one) => one.expression ?? one.license?.id ?? one.license?.name ?? "").join(" AND ");
  return { name: group === undefined ? name : `${group}/${name}`, version, license };
}

const purl = (name: string, version: string): string => `pkg:npm/${name.replace("@", "%40")}@${version}`;

function sortBy<Value>(values: Value[], key: (value: Value) => string): Value[] {
  return values.toSorted((a, b) => (key(a) < key(b) ? -1 : 1));
}

function getUuid(text: string): string {
  const hex = createHash("sha256").update(text).digest("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
