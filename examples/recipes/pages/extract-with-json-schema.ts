// Extracts data in the structure of a JSON Schema, which validates them, too: node extract-with-json-schema.ts <session>
import { ClientError, createCloudBrowser } from "@cloud-browser/client";

interface Tea {
  readonly name: string;
  readonly price: number;
}
const schema = {
  type: "object",
  properties: { name: { type: "string" }, price: { type: "number", minimum: 0 } },
  required: ["name", "price"],
};

try {
  const tea = await createCloudBrowser().extract<Tea>(process.argv[2] ?? "", { response_format: schema });
  console.log(`${tea.name}: ${tea.price.toFixed(2)}`);
} catch (error) {
  if (!(error instanceof ClientError) || !error.extraction) throw error;
  console.log(`no tea: ${error.extraction.reason}`); // failed, missing or mismatch
  process.exitCode = 1;
}
