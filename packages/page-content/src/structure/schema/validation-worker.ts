import { parentPort } from "node:worker_threads";
import { checkOnThisThread } from "./check-schema.ts";

/** One check: JSON of the schema, and of the data with its options unless only the schema is to be checked. */
interface Job {
  readonly schema: string;
  readonly data?: string;
}

parentPort?.on("message", ({ schema, data }: Job) => {
  const value = data === undefined ? undefined : JSON.parse(data);
  parentPort?.postMessage(checkOnThisThread(JSON.parse(schema), value), []);
});
parentPort?.postMessage("ready", []);
