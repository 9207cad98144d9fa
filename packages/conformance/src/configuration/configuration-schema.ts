import { settingRows } from "./settings-table.ts";

/** JSON Schema of the configuration file, as it is published for editors. */
export function configurationSchema(): Readonly<Record<string, unknown>> {
  const properties = settingRows.map(([name, { text: what, more, otherwise, must, schema }]) => {
    const sentences = [`${what.charAt(0).toUpperCase()}${what.slice(1)}.`, more, otherwise && `Default: ${otherwise}.`];
    return [name, { title: must, description: sentences.filter(Boolean).join(" "), ...schema }];
  });
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "Configuration of the conformance suite",
    description:
      "Settings that conformance.config.{ts,mts,js,mjs,json,yaml,yml} may hold. The title of each says what its value must be.",
    type: "object",
    additionalProperties: false,
    properties: {
      $schema: { title: "a string", description: "Address of this schema, for editors.", type: "string" },
      ...Object.fromEntries(properties),
    },
  };
}
