import { writeFileSync } from "node:fs";
import { diffContracts, readContract } from "@cloud-browser/contract-diff";

const write = (file: string, required: string): void =>
  writeFileSync(
    file,
    `openapi: 3.1.0
info: { title: Ferries, version: "1" }
paths:
  /piers:
    get:
      responses:
        "200":
          description: The piers.
          content:
            application/json:
              schema: { type: object, properties: { piers: { type: array } }, required: [${required}] }
`,
  );
write("old.yaml", "piers");
write("new.yaml", "");
const { breaking, changes } = diffContracts(readContract("old.yaml"), readContract("new.yaml"));
console.log(breaking); // true
console.log(changes.map(({ what }) => what).join()); // the field is no longer required
