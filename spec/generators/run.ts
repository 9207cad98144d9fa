// Generates clients from the published documents, compiles and calls them, and compares the table in ../README.md:
//
//   node run.ts [--write]    --write puts the table into the README
//
// Exit code 0: all is as the contract and the table say. 1: something is not.
import { readFileSync, writeFileSync } from "node:fs";
import { callAll, complaintsAbout, type Calls } from "./calls.ts";
import { clientGenerators, compileClients, generateClients, loadConsumer, publishedDocument } from "./generation.ts";
import { startLoopback } from "./loopback.ts";
import { complaintsAboutMocks } from "./mock.ts";
import { complaintsAboutCollection, complaintsAboutCommand } from "./postman.ts";
import { staleRemarks, getTables } from "./table.ts";
import { complaintsOfValidators, missingRefusals } from "./validators.ts";
import { installGenerators, openWorkshop } from "./workshop.ts";

const readme = new URL("../README.md", import.meta.url);
const marked = /(?<=<!-- generators -->\n)[^]*(?=<!-- \/generators -->)/;

await installGenerators();
using loopback = await startLoopback();
using workshop = openWorkshop(publishedDocument(loopback.sessions, loopback.automation));
const complaints: string[] = [];
await step("validators", () => complaintsOfValidators(workshop));
await step("refusals of OpenAPI 3.2", () => missingRefusals(workshop));
await step("generation", () => generateClients(workshop));
await step("compiler", () => compileClients(workshop));
const all = new Map<string, Calls>();
for (const name of clientGenerators) await step(name, () => callWith(name));
await step("openapi-to-postman", () => complaintsAboutCollection(workshop, loopback));
await step("command for Postman", () => complaintsAboutCommand(workshop));
await step("Prism", async () => complaintsAboutMocks(await loadConsumer(workshop, "openapi-typescript")));
await step("table in spec/README.md", async () => [
  ...staleRemarks(all, (name) => workshop.codeOf(name)),
  ...compareReadme(),
]);
for (const complaint of complaints) console.error(complaint);
process.exitCode = complaints.length === 0 ? 0 : 1;

async function step(name: string, work: () => Promise<string[]>): Promise<void> {
  const found = await work().catch((error: unknown) => [error instanceof Error ? error.message : String(error)]);
  console.log(`${found.length === 0 ? "pass" : "FAIL"}  ${name}`);
  complaints.push(...found.map((one) => `${name}: ${one}`));
}

async function callWith(name: string): Promise<string[]> {
  const calls = await callAll(await loadConsumer(workshop, name), loopback);
  all.set(name, calls);
  return complaintsAbout(calls);
}

function compareReadme(): string[] {
  const want = `\n${getTables(all)}\n\n`;
  const text = readFileSync(readme, "utf8");
  if (plain(marked.exec(text)?.[0]) === plain(want)) return [];
  if (!process.argv.includes("--write"))
    return [`is not what was seen; run: npm run test:generators -- --write\n${want}`];
  writeFileSync(
    readme,
    text.replace(marked, () => want),
  );
  return [];
}

/** A formatter pads the cells. */
function plain(table: string | undefined): string | undefined {
  return table?.replace(/-{3,}/g, "---").replace(/ +\|/g, " |").trim();
}
