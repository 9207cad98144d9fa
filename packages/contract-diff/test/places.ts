/** Edits of the contract, by what they do, and the places that they change. */

/** A contract of its own for each edit, its parts by their names, and those of `components`. */
// oxlint-disable-next-line typescript/no-explicit-any -- an edit reaches into a JSON document; one that misses its place fails
export type Edit = (parts: any) => void;

/** An edit, and its changes, as `class: where: what`. */
export type EditRow = readonly [edit: Edit, ...changes: string[]];

export const scrapePath = "/sessions/{session_id}/page/scrape";
export const cookiesPath = "/sessions/{session_id}/cookies";
export const replayPath = "/sessions/{session_id}/replay";
export const startPath = "/api/automation/start";

export const scrape = `POST ${scrapePath}`;
export const cookies = `GET ${cookiesPath}`;
export const replay = `GET ${replayPath}`;
export const start = `POST ${startPath}`;
export const scrapeBody = `${scrape} > request body > application/json`;
export const scraped = `${scrape} > response 200 > application/json`;
export const recording = `${replay} > response 200 > application/json`;
export const events = `${start} > response 200 > text/event-stream > events`;
