import { deepStrictEqual } from "node:assert/strict";
import { cpus, loadavg } from "node:os";
import { parseArgs } from "node:util";
import { cpuClockScope } from "../../stream/bench/cpu-clock.ts";
import { writeTable } from "../../stream/bench/table.ts";
import { startLoopback } from "./loopback.ts";
import { measure, type Effort, type Finding } from "./measurement.ts";
import { answers, operations, type Operation } from "./way.ts";
import { fullName, listWays, type Service } from "./ways.ts";

/** The aim of the issue: microseconds over raw fetch, with everything on, with answers from memory. */
const aim = 20;

const { values } = parseArgs({ options: { quick: { type: "boolean", default: false } } });
const load = loadavg().map((value) => value.toFixed(1));
console.log(`Node ${process.versions.node} on ${cpus()[0]?.model}, ${cpus().length} cores, load ${load.join(" ")}`);
console.log(`CPU time of the ${cpuClockScope}, medians of paired rounds`);

const verdicts: string[] = [];
const memory = { calls: 400, rounds: values.quick ? 10 : 40 };
for (const operation of operations) {
  const findings = await compare(operation, fromMemory(operation), memory);
  show(`${operation.name}, answered from memory`, findings, memory);
  const over = findings.find(({ way }) => way.name === fullName)?.over ?? Number.NaN;
  const verdict = over <= aim ? "reached" : "not reached";
  verdicts.push(`${verdict.padEnd(12)} ${operation.name.padEnd(8)} ${over.toFixed(1)} us over raw fetch, aim ${aim}`);
}
await using loopback = await startLoopback();
const service: Service = { baseUrl: loopback.baseUrl, fetch: (request) => fetch(request) };
const sockets = { calls: 100, rounds: values.quick ? 5 : 20 };
for (const operation of operations) {
  const findings = await compare(operation, service, sockets);
  show(`${operation.name}, answered by a server on this machine`, findings, sockets);
}
console.log(`\n${verdicts.join("\n")}`);

/** Compares all ways, after each has proved that it gets the data. */
async function compare(operation: Operation, via: Service, effort: Effort): Promise<readonly Finding[]> {
  const ways = listWays(operation, via);
  const want: unknown = JSON.parse(answers[operation.name]);
  for (const { name, call } of ways) deepStrictEqual(JSON.parse(JSON.stringify(await call())), want, name);
  return measure(ways, effort);
}

function fromMemory({ name }: Operation): Service {
  const answer = answers[name];
  const init = { headers: { "content-type": "application/json", "content-length": String(answer.length) } };
  return { baseUrl: "https://service.example", fetch: async () => new Response(answer, init) };
}

function show(title: string, findings: readonly Finding[], { calls, rounds }: Effort): void {
  const head = ["", "us per call", "over raw", "+-", "ratio", "with"];
  const rows = findings.map(({ way, cost, over, spread, ratio }) => [
    way.name,
    cost.toFixed(1),
    over.toFixed(1),
    spread.toFixed(1),
    `${ratio.toFixed(2)}x`,
    way.what,
  ]);
  console.log(`\n${title} (${rounds} rounds of ${calls} calls)\n${writeTable([head, ...rows])}`);
}
