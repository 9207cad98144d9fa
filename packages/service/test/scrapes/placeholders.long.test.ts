import { afterAll, beforeAll, expect, test } from "vitest";
import { readAnswer, startTestService, type TestService } from "../running-service.ts";
import { startSite, type Site } from "@cloud-browser/testing/site.ts";

let running: TestService;
let site: Site;

const long = `/a-very-long-address/${"0123456789".repeat(20)}`;
const picture = '<svg xmlns="http://www.w3.org/2000/svg" width="200" height="200"><path d="M0 0h9v9z"/></svg>';

beforeAll(async () => {
  running = await startTestService();
  site = await startSite({
    "/": `<title>Teas</title><link rel=icon href=/icon.png>
      <h1>Teas [link1] [img0]</h1>
      <p>${`<a href="${long}">again</a> `.repeat(50)}
      <a href="/with (one bracket and spaces">odd</a> <a href="/green"><img src="/green.svg" alt="Green" width=200 height=200></a>
      <img src="/black.svg" alt="Black" width=200 height=200> <img src="/green.svg" alt="Green" width=200 height=200></p>`,
    "/green.svg": (_, response) => response.setHeader("content-type", "image/svg+xml").end(picture),
    "/black.svg": (_, response) => response.setHeader("content-type", "image/svg+xml").end(picture),
  });
});

afterAll(async () => {
  await site[Symbol.asyncDispose]();
  await running[Symbol.asyncDispose]();
});

interface Answer {
  readonly markdown: string;
  readonly images: readonly { readonly url: string | null }[] | null;
}

async function scrape(path: string, request: object): Promise<Answer> {
  const { session_id } = await running.open({ url: `${site.url}${path}` });
  const answer = await readAnswer<Answer>(await running.ask("POST", `/sessions/${session_id}/page/scrape`, request));
  await running.end(session_id);
  return answer;
}

/** What each placeholder of an answer stands for, as docs/reference/service-choices.md says: a definition at the end, or for `imgN` the image N of the list. */
function resolved({ markdown, images }: Answer): [words: string, address: string | null | undefined][] {
  const definitions = new Map([...markdown.matchAll(/^\[(\w+)\]: (\S+)$/gm)].map(([, name = "", to]) => [name, to]));
  return [...markdown.matchAll(/\[(!?\[[^\]]*\]\[\w+\]|[^[\]\\]*)\]\[(link\d+|img\d+)\]/g)].map(
    ([, words = "", name = ""]) => [words, definitions.get(name) ?? images?.[Number(/\d+$/.exec(name)?.[0])]?.url],
  );
}

test("with images, every placeholder leads to its address: links by definitions, images by their place in the list", async () => {
  const answer = await scrape("/", { scrape_images: true, use_link_placeholders: true });
  const found = resolved(answer);
  expect(found.filter(([words]) => words === "again")).toEqual(
    Array.from({ length: 50 }, () => ["again", `${site.url}${long}`]),
  );
  expect(found).toContainEqual(["odd", `${site.url}/with%20\\(one%20bracket%20and%20spaces`]);
  expect(found).toContainEqual(["![Green][img1]", `${site.url}/green`]);
  expect(found).toContainEqual(["Black", `${site.url}/black.svg`]);
  expect(answer.images?.[1]).toMatchObject({ url: `${site.url}/green.svg` });
  expect(answer.markdown).not.toMatch(/^\[img/m); // they are in the list
});

test("an address that is repeated is written once, and the page is much shorter for it", async () => {
  const whole = await scrape("/", {});
  const short = await scrape("/", { use_link_placeholders: true });
  expect(short.markdown.split(long)).toHaveLength(2);
  expect(short.markdown.length).toBeLessThan(whole.markdown.length / 5);
  expect(resolved(short).filter(([words]) => words === "again")).toEqual(
    Array.from({ length: 50 }, () => ["again", `${site.url}${long}`]),
  );
});

test("an address in the text of the page that looks like a placeholder is kept", async () => {
  const { markdown } = await scrape("/", { use_link_placeholders: true });
  expect(markdown).toContain(String.raw`# Teas \[link1] \[img0\]`);
});

test("a document that is no page has a placeholder that leads to it", async () => {
  const { markdown } = await scrape("/green.svg", { use_link_placeholders: true });
  expect(markdown).toBe(`[green.svg][link1]\n\n[link1]: ${site.url}/green.svg`);
});
