// A node of a cluster in a process of its own, whose scrapes ask no browser. Arguments: its folder, its database, its name.
// Tells on standard output where it is; ends when its standard input does.
import { PageScraper } from "@cloud-browser/page-content";
import { pino } from "pino";
import { startService } from "../../src/service.ts";

const [, , data = "", database = "", nodeName = ""] = process.argv;

/** Of the size of a usual page. */
const markdown = "A line of some eighty characters, as they stand on pages that people read at work.\n".repeat(100);
PageScraper.prototype.scrape = async () => ({
  markdown,
  legend: "",
  cut: false,
  url: "",
  title: "",
  images: null,
  placeholders: {},
  declared: null,
});

const service = await startService({
  data,
  apiKey: "key-of-the-bench",
  cluster: { database, nodeName },
  limits: { count: 100 },
  log: pino({ level: "silent" }),
});
process.stdin.resume().once("end", () => void service.close().then(() => process.exit(0)));
console.log(service.url);
