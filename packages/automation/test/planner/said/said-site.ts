import { createServer } from "node:http";
import { listenOnLoopback, type Site } from "@cloud-browser/testing/site.ts";
import type { SaidTask } from "./task.ts";

/** The pages of tasks, each at the address of its number, and what their site was told. */
export interface SaidSite extends Site {
  /** What was done on the page of a task, in order. */
  listMessages(index: number): readonly string[];
}

const writeScript = (index: number): string =>
  `<script>function say(x) { const r = new XMLHttpRequest(); r.open("POST", "/did/${index}", false); r.send(x) }</script>`;

/** Serves the pages of tasks. */
export async function startSaidSite(tasks: readonly SaidTask[]): Promise<SaidSite> {
  const messages = new Map<number, string[]>();
  const requests: string[] = [];
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? "/", "http://site.example");
    requests.push(url.pathname);
    const [, folder, number] = url.pathname.split("/");
    const index = Number(number);
    const { page } = tasks[index] ?? { page: "" };
    let body = "";
    for await (const part of request) body += String(part);
    if (folder === "did") {
      const message = body || decodeURIComponent(url.search.slice(1).replaceAll("+", " "));
      messages.set(index, [...(messages.get(index) ?? []), message]);
    }
    const html = folder === "did" ? "<p>Thank you" : writeScript(index) + page.replaceAll("DID", `/did/${index}`);
    response
      .writeHead(200, { "content-type": "text/html; charset=utf-8" })
      .end(`<!doctype html><title>Page</title>${html}`);
  });
  const site = await listenOnLoopback(server, requests);
  return {
    url: site.url,
    requests,
    listMessages: (index) => messages.get(index) ?? [],
    [Symbol.asyncDispose]: async () => site[Symbol.asyncDispose](),
  };
}
