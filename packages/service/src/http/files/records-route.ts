import type { Hono } from "hono";
import type { Logger } from "pino";
import type { RecordsCopies } from "../../backup/records-copies.ts";
import { answerProblem } from "../problems.ts";

/** Parts that the route of the records needs. */
export interface RecordsRouteParts {
  /** Copies the records; undefined for a node of a cluster, which has none of its own. */
  readonly recordsCopies: Pick<RecordsCopies, "make"> | undefined;
  /** Gets a line for each copy. */
  readonly log: Logger;
}

/** How the records are copied for a backup: by the key that the service was started with, as they are those of all keys. */
export function addRecordsRoute(app: Hono, { recordsCopies, log }: RecordsRouteParts): void {
  app.get("/control/records", async (c) => {
    const { name } = c.get("holder");
    if (name !== null)
      return answerProblem(403, `the API key ${name} may not copy the records: only that of the service itself may`);
    if (!recordsCopies)
      return answerProblem(
        409,
        "the records of this service are in PostgreSQL: back them up there, with pg_dump for example",
      );
    const { size, bytes } = await recordsCopies.make();
    log.info({ bytes: size }, "the records were copied for a backup");
    const type = "application/vnd.sqlite3";
    const headers = { "content-type": type, "content-length": String(size), "cache-control": "no-store" };
    return new Response(bytes, { headers });
  });
}
