import { createServer } from "node:http";
import { listenOnLoopback, type Site } from "@cloud-browser/testing/site.ts";
import type { SaidTask } from "./task.ts";

/** The pages of tasks, each at the address of its number, and what their site was told. */
export interface SaidSite extends Site {
  /** What was done on the page of a task, in order. */
  told(index: number): readonly string[];
}

const say = (index: number): string =>
  `<script>function say(x) { const r = new XMLHttpRequest(); r.open("POST", "/did/${index}", false); r.send(x) }</script>`;

/** Serves the pages of tasks. */
export async function startSaidSite(tasks: readonly SaidTask[]): Promise<SaidSite> {
  const told = new Map<number, string[]>();
  const asked: string[] = [];
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? "/", "http://site.example");
    asked.push(url.pathname);
    const [, folder, number] = url.pathname.split("/");
    const index = Number(number);
    const { page } = tasks[index] ?? { page: "" };
    let body = "";
    for await (const part of request) body += String(part);
    if (folder === "did") {
      const said = body || decodeURIComponent(url.search.slice(1).replaceAll("+", " "));
      told.set(index, [...(told.get(index) ?? []), said]);
    }
    const html = folder === "did" ? "<p>Thank you" : say(index) + page.replaceAll("DID", `/did/${index}`);
    response
      .writeHead(200, { "content-type": "text/html; charset=utf-8" })
      .end(`<!doctype html><title>Page</title>${html}`);
  });
  const site = await listenOnLoopback(server, asked);
  return {
    url: site.url,
    requests: asked,
    told: (index) => told.get(index) ?? [],
    [Symbol.asyncDispose]: async () => site[Symbol.asyncDispose](),
  };
}
