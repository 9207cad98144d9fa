// Generates clients from the published documents, compiles and calls them, and compares the table in ../README.md:
//
//   node run.ts [--write]    --write puts the table into the README
//
// Exit code 0: all is as the contract and the table say. 1: something is not.
import { readFileSync, writeFileSync } from "node:fs";
import { callAll, listComplaints, type Calls } from "./calls.ts";
import {
  clientGenerators,
  compileClients,
  generateClients,
  loadConsumer,
  makePublishedDocument,
} from "./generation.ts";
import { startLoopback } from "./loopback.ts";
import { checkMocks } from "./mock.ts";
import { checkCollection, checkCommand } from "./postman.ts";
import { listStaleRemarks, getTables } from "./table.ts";
import { runValidators, listMissingRefusals } from "./validators.ts";
import { installGenerators, openWorkshop } from "./workshop.ts";

const readme = new URL("../README.md", import.meta.url);
const marked = /(?<=<!-- generators -->\n)[^]*(?=<!-- \/generators -->)/;

await installGenerators();
using loopback = await startLoopback();
using workshop = openWorkshop(makePublishedDocument(loopback.sessions, loopback.automation));
const complaints: string[] = [];
await step("validators", () => runValidators(workshop));
await step("refusals of OpenAPI 3.2", () => listMissingRefusals(workshop));
await step("generation", () => generateClients(workshop));
await step("compiler", () => compileClients(workshop));
const all = new Map<string, Calls>();
for (const name of clientGenerators) await step(name, () => callWith(name));
await step("openapi-to-postman", () => checkCollection(workshop, loopback));
await step("command for Postman", () => checkCommand(workshop));
await step("Prism", async () => checkMocks(await loadConsumer(workshop, "openapi-typescript")));
await step("table in spec/README.md", async () => [
  ...listStaleRemarks(all, (name) => workshop.readCode(name)),
  ...compareReadme(),
]);
for (const complaint of complaints) console.error(complaint);
process.exitCode = complaints.length === 0 ? 0 : 1;

async function step(name: string, work: () => Promise<string[]>): Promise<void> {
  const own = await work().catch((error: unknown) => [error instanceof Error ? error.message : String(error)]);
  console.log(`${own.length === 0 ? "pass" : "FAIL"}  ${name}`);
  complaints.push(...own.map((one) => `${name}: ${one}`));
}

async function callWith(name: string): Promise<string[]> {
  const calls = await callAll(await loadConsumer(workshop, name), loopback);
  all.set(name, calls);
  return listComplaints(calls);
}

function compareReadme(): string[] {
  const want = `\n${getTables(all)}\n\n`;
  const text = readFileSync(readme, "utf8");
  if (trimTable(marked.exec(text)?.[0]) === trimTable(want)) return [];
  if (!process.argv.includes("--write"))
    return [`is not what was seen; run: npm run test:generators -- --write\n${want}`];
  writeFileSync(
    readme,
    text.replace(marked, () => want),
  );
  return [];
}

/** A formatter pads the cells. */
function trimTable(table: string | undefined): string | undefined {
  return table?.replace(/-{3,}/g, "---").replace(/ +\|/g, " |").trim();
}
