// Logs calls as JSON, by pino: node log-with-pino.ts <session>
import { createCloudBrowser, type Logger } from "@cloud-browser/client";
import pino from "pino";

const log = pino({ name: "harbour" });
const logger: Logger = {
  debug: (message, notice) => log.debug(notice, message), // pino has the object first
  info: (message, notice) => log.info(notice, message),
  warn: (message, { error, ...notice }) => log.warn({ ...notice, code: error.code }, message),
  error: (message, { error, operation }) => log.error({ operation, err: error }, message),
};
const client = createCloudBrowser({ logger, logLevel: "info" }); // debug logs every request and response

await client.scrape(process.argv[2] ?? "").catch(() => (process.exitCode = 1)); // it is logged already
