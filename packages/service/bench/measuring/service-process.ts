// A service in a process of its own. Arguments: its folder, and how many sessions it may have.
// Tells on standard output where it is, and each picture that is safe: whose (sessions in the order of their creation), and its moment.
import { writeSync } from "node:fs";
import { destination, pino } from "pino";
import { Journal } from "@cloud-browser/recorder";
import { startService } from "../../src/service.ts";

const [, , data = "", count = "20"] = process.argv;

const tell = (what: object): void => void writeSync(1, `${JSON.stringify(what)}\n`);

/**
 * By journal: whose it is, and the moment that it has come to. What is older is moved to it. Keeps no journal: its last picture and all
 * that leads to it, the pages of the session, would count as memory of the service.
 */
const journals = new WeakMap<Journal, { readonly session: number; lastMs: number }>();
let sessions = 0;
const findPlace = (journal: Journal, atMs: number): { session: number; lastMs: number } => {
  const earlier = journals.get(journal);
  const place = earlier ?? { session: sessions, lastMs: 0 };
  if (!earlier) sessions += 1;
  journals.set(journal, place);
  place.lastMs = Math.max(place.lastMs, Math.round(atMs));
  return place;
};
/* oxlint-disable typescript/unbound-method -- They are called with their journal. */
const { picture, still } = Journal.prototype;
/* oxlint-enable typescript/unbound-method */
Journal.prototype.picture = async function (atMs, jpeg) {
  const { session, lastMs } = findPlace(this, atMs);
  await picture.call(this, atMs, jpeg);
  tell({ session, atMs: lastMs });
};
Journal.prototype.still = function (atMs) {
  if (journals.has(this)) findPlace(this, atMs);
  return still.call(this, atMs);
};

const service = await startService({
  data,
  allow: ["127.0.0.1"],
  limits: { count: Number(count) },
  log: pino({ level: "warn" }, destination(2)),
});
process.on("SIGTERM", () => void service.close().then(() => process.exit(0)));
tell({ url: service.url, key: service.apiKey });
