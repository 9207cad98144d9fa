import type { JsonSchema } from "@cloud-browser/client";

/** Schema of the output of a command with `--json`, in which `$ref` may name one of the documents. */
export type OutputSchema = JsonSchema;

/** Documents whose schemas are named: that of the interface, and that of `/control`. */
const documents = {
  interface: async () => (await import("@cloud-browser/spec/openapi-3.1.json", { with: { type: "json" } })).default,
  control: async () => (await import("@cloud-browser/spec/control.openapi.json", { with: { type: "json" } })).default,
} as const;

/** Returns a reference to a schema of the interface or of `/control`. */
export function findSchema(document: keyof typeof documents, name: string): OutputSchema {
  return { $ref: `${document}:${name}` };
}

/** Returns the schema of a list. */
export function describeArray(items: OutputSchema): OutputSchema {
  return { type: "array", items };
}

/** An object with these properties, all of them required. */
export function describeObject(properties: Readonly<Record<string, OutputSchema>>, description?: string): OutputSchema {
  return {
    type: "object",
    ...(description !== undefined && { description }),
    required: Object.keys(properties),
    properties,
  };
}

/** Returns a schema that stands alone: with all that it names, under `$defs`. */
export async function completeSchema(schema: OutputSchema): Promise<JsonSchema> {
  const defs: Record<string, unknown> = {};
  const whole = await completeReferences(schema, undefined, defs);
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    ...Object(whole),
    ...(Object.keys(defs).length > 0 && { $defs: defs }),
  };
}

async function completeReferences(
  node: unknown,
  document: keyof typeof documents | undefined,
  defs: Record<string, unknown>,
): Promise<unknown> {
  if (Array.isArray(node))
    return Promise.all(node.map(async (each: unknown) => completeReferences(each, document, defs)));
  if (typeof node !== "object" || node === null) return node;
  const entries: [string, unknown][] = [];
  for (const [name, value] of Object.entries(node)) {
    entries.push([
      name,
      name === "$ref" && typeof value === "string"
        ? await addReference(value, document, defs)
        : await completeReferences(value, document, defs),
    ]);
  }
  return Object.fromEntries(entries);
}

/** Adds the target of a reference to the definitions, and returns the reference to it there. */
async function addReference(
  reference: string,
  document: keyof typeof documents | undefined,
  defs: Record<string, unknown>,
): Promise<string> {
  const [, own = document, name = reference.replace("#/components/schemas/", "")] =
    /^(interface|control):(.+)$/.exec(reference) ?? [];
  if (own !== "interface" && own !== "control") throw makeUnknownSchemaError(reference);
  if (!(name in defs)) {
    const { components }: { readonly components: { readonly schemas: Readonly<Record<string, unknown>> } } =
      await documents[own]();
    if (!(name in components.schemas)) throw makeUnknownSchemaError(reference);
    defs[name] = true; // one that names itself
    defs[name] = await completeReferences(components.schemas[name], own, defs);
  }
  return `#/$defs/${name}`;
}

function makeUnknownSchemaError(reference: string): Error {
  return new Error(`no schema: ${reference}`);
}
