// A service in a process of its own. Arguments: its folder, and how many sessions it may have.
// Tells on standard output where it is, and each picture that is safe: whose (sessions in the order of their creation), and its moment.
import { writeSync } from "node:fs";
import { Journal } from "../../src/recording/journal.ts";
import { startService } from "../../src/service.ts";

const [, , data = "", count = "20"] = process.argv;

const tell = (what: object): void => void writeSync(1, `${JSON.stringify(what)}\n`);

const journals = new Map<Journal, number>();
const picture = Journal.prototype.picture;
Journal.prototype.picture = async function (atMs, jpeg) {
  if (!journals.has(this)) journals.set(this, journals.size);
  await picture.call(this, atMs, jpeg);
  tell({ session: journals.get(this), atMs });
};

const service = await startService({
  data,
  allow: ["127.0.0.1"],
  limits: { count: Number(count) },
});
process.on("SIGTERM", () => void service.close().then(() => process.exit(0)));
tell({ url: service.url, key: service.apiKey });
