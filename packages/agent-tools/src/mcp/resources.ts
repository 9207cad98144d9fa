import { ResourceTemplate, type McpServer, type ReadResourceResult } from "@modelcontextprotocol/server";
import { splitPages } from "../page/pages.ts";
import { explainFailure } from "../tools/explain-failure.ts";
import { readTimelineLines } from "../tools/timeline.ts";
import { readPageMarkdown } from "../tools/read-markdown.ts";
import type { ToolEnvironment } from "../tools/tool-environment.ts";
import { ToolError } from "../tools/tool.ts";
import { wrapPageText } from "../untrusted/page-text.ts";

/** Maximum number of sessions whose resources are listed. */
const mostListed = 20;
/** Factor by which a page of a resource is longer than one of a result, as a resource is read on purpose. */
const timesAsLong = 4;

/** Registers large results as resources: the Markdown of pages, timelines, replays. */
export function registerResources(server: McpServer, environment: ToolEnvironment, hasControl: boolean): void {
  const { client, control, settings } = environment;
  const size = settings.maxPageChars * timesAsLong;
  const list = hasControl
    ? async () => {
        const { sessions } = await control.sessions.list({ state: "active", limit: mostListed });
        return {
          resources: sessions.slice(0, mostListed).map(({ session_id }) => ({
            uri: `cloud-browser://sessions/${session_id}/markdown/1`,
            name: `Page of session ${session_id}`,
            mimeType: "text/markdown",
          })),
        };
      }
    : undefined;
  server.registerResource(
    "page-markdown",
    new ResourceTemplate("cloud-browser://sessions/{session_id}/markdown/{page}", { list }),
    {
      title: "Page of a session as Markdown",
      description: "Marked text of a page; page 1 reads it anew",
      mimeType: "text/markdown",
    },
    async (uri, { session_id, page }, { mcpReq }) =>
      read(environment, uri, async () => {
        const id = readVariable(session_id);
        const number = parseNumber(page);
        const { markdown } = await readPageMarkdown(environment, id, {
          selection: {},
          hasHidden: false,
          readsOn: number > 1,
          signal: mcpReq.signal,
        });
        return readPart(markdown, size, number, `cloud-browser://sessions/${id}/markdown/`);
      }),
  );
  server.registerResource(
    "replay",
    new ResourceTemplate("cloud-browser://sessions/{session_id}/replay", { list: undefined }),
    {
      title: "Replay of a session",
      description: "Length and expiry; addresses where they are allowed",
      mimeType: "application/json",
    },
    async (uri, { session_id }, { mcpReq }) => {
      try {
        const { mp4_url, playlist_content, ...rest } = await client.replay(readVariable(session_id), {
          signal: mcpReq.signal,
        });
        const links = settings.allowed.has("replay-links") ? { mp4_url, playlist_content } : {};
        return contents(uri, environment.hide(JSON.stringify({ ...rest, ...links }, undefined, 1)), "application/json");
      } catch (error) {
        throw failure(environment, error, "get_replay");
      }
    },
  );
  if (!hasControl) return;
  server.registerResource(
    "timeline",
    new ResourceTemplate("cloud-browser://sessions/{session_id}/timeline/{after}", { list: undefined }),
    {
      title: "Timeline of a session",
      description: "Marked text: what happened, and who did it; 0 is the beginning",
      mimeType: "text/markdown",
    },
    async (uri, { session_id, after }, { mcpReq }) =>
      read(environment, uri, async () => {
        const id = readVariable(session_id);
        const { text, last, hasMore } = await readTimelineLines(
          environment,
          id,
          parseNumber(after),
          size,
          mcpReq.signal,
        );
        return { head: hasMore ? `More: cloud-browser://sessions/${id}/timeline/${last}\n` : "", pageText: text };
      }),
  );
}

/** Reads text of pages for a resource. */
async function read(
  environment: ToolEnvironment,
  uri: URL,
  work: () => Promise<{ readonly head: string; readonly pageText: string }>,
): Promise<ReadResourceResult> {
  try {
    const { head, pageText } = await work();
    return contents(uri, `${head}${wrapPageText(environment.hide(pageText))}`, "text/markdown");
  } catch (error) {
    throw failure(environment, error, "this resource");
  }
}

function failure(environment: ToolEnvironment, error: unknown, name: string): Error {
  return new Error(environment.hide(explainFailure(name, error).message));
}

function contents(uri: URL, text: string, mimeType: string): ReadResourceResult {
  return { contents: [{ uri: uri.href, text, mimeType }] };
}

function readPart(
  markdown: string,
  size: number,
  number: number,
  address: string,
): { readonly head: string; readonly pageText: string } {
  const parts = splitPages(markdown, size);
  const pageText = parts[number - 1];
  if (pageText === undefined) throw new ToolError(`there is no page ${number}: the text has ${parts.length}`);
  const more = number < parts.length ? `; more: ${address}${number + 1}` : "";
  return { head: `Page ${number} of ${parts.length}${more}\n`, pageText };
}

function readVariable(value: string | string[] | undefined): string {
  return decodeURIComponent(String(value ?? ""));
}

/** @throws {ToolError} when it is no whole number. */
function parseNumber(value: string | string[] | undefined): number {
  const text = readVariable(value);
  if (!/^\d{1,9}$/u.test(text)) throw new ToolError("the last part of the address must be a whole number");
  return Number(text);
}
