// The figures of the service. Usage: npm run bench [-- sessions|scrape|recording|capacity|live|kill|cluster|records|endurance] [how many]
import { loadavg } from "node:os";
import { writeTable, type Figure } from "./measuring/figure.ts";
import { measureCapacity } from "./parts/capacity.ts";
import { measureCluster } from "./parts/cluster.ts";
import { measureEndurance } from "./parts/endurance.ts";
import { measureKill } from "./parts/kill.ts";
import { measureLive } from "./parts/live.ts";
import { measureRecording } from "./parts/recording-cost.ts";
import { measureRecords } from "./parts/records.ts";
import { measureScraping } from "./parts/scraping.ts";
import { measureSessions } from "./parts/sessions.ts";

const parts: Record<string, (count?: number) => Promise<Figure[]>> = {
  sessions: measureSessions,
  scrape: measureScraping,
  recording: measureRecording,
  capacity: measureCapacity,
  live: measureLive,
  kill: measureKill,
  cluster: measureCluster,
  records: measureRecords,
  endurance: measureEndurance,
};
/** Runs only when it is named: it takes an hour. */
const apart = "endurance";

const [, , chosenPart, count] = process.argv;
if (chosenPart !== undefined && !(chosenPart in parts)) {
  console.error(`There is no part "${chosenPart}". There are: ${Object.keys(parts).join(", ")}.`);
  process.exit(2);
}
const load = (): string => loadavg()[0]?.toFixed(1) ?? "";
const figures: Figure[] = [];
for (const [name, measure] of Object.entries(parts)) {
  if (chosenPart === undefined ? name === apart : name !== chosenPart) continue;
  const before = load();
  console.error(`${name}…`);
  figures.push(...(await measure(chosenPart === undefined || count === undefined ? undefined : Number(count))));
  console.error(`${name}: done; load of the machine ${before} before, ${load()} after`);
}
console.log(writeTable(figures));
