import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { FunctionWorker } from "../../src/functions/run-function.ts";
import { Planner } from "../../src/planner/planner.ts";
import { createModel } from "@cloud-browser/page-content";
import type { FunctionRecord } from "../../src/functions/function-record.ts";
import { prices, refIn } from "../agent/agent-harness.ts";
import { createRecord, TestBrowsers } from "./workplace.ts";
import { startStubModelServer } from "@cloud-browser/testing/model/stub-model-server.ts";
import { startSite, type Site } from "@cloud-browser/testing/site.ts";

/** What the shop has, by the words that find it. */
const shelves: Readonly<Record<string, readonly string[]>> = { lamp: ["lamp"], chair: ["chair", "stool", "bench"] };

let names = shelves;
let site: Site;
let browsers: TestBrowsers;
let record: FunctionRecord;

/** Searches, and shows what was found: every result has the same test ids, and each page has one of them. */
function results(query: URLSearchParams): string {
  const [term, page] = [query.get("q") ?? "", Number(query.get("page") ?? 0)];
  const matches = names[term] ?? names["lamp"] ?? [];
  const rows = matches
    .slice(page, page + 1)
    .map((name) => `<tr><td><a data-testid=first href="/item?${name}">${name}</a><td>1`);
  const next = page + 1 < matches.length ? `<a href="/?q=${term}&page=${page + 1}">Next</a>` : "";
  return `<form><input type=search name=q aria-label=Search></form><table><tr><th>Name<th>Price${rows.join("")}</table>${next}`;
}

/** Three pages that are known by their numbers only, and more numbers around; the current one is marked in one of several ways. */
function numbered(query: URLSearchParams): string {
  const page = Number(query.get("page") ?? 1);
  const marks: Readonly<Record<string, (text: number) => string>> = {
    span: (text) => `<span aria-current=page>${text}</span>`,
    link: (text) => `<a href="" class="page-link current">${text}</a>`,
    item: (text) => `<li class="active page"><a href="">${text}</a></li>`,
  };
  const by = query.get("by") ?? "";
  const links = [1, 2, 3].map((to) => (to === page ? marks[by]?.(to) : `<a href="?by=${by}&page=${to}">${to}</a>`));
  return `<a aria-current=page href=/>Shop</a><a href=/item?4>4</a><table><tr><th>Name<th>Price<tr><td>row ${page}<td>1</table>
    <ul>${links.join(" ")}</ul><a href=/item>Imprint</a>`;
}

beforeAll(async () => {
  site = await startSite({
    "/": ({ url = "" }, response) =>
      void response.setHeader("content-type", "text/html").end(results(new URL(url, "http://a.test").searchParams)),
    "/numbered": ({ url = "" }, response) =>
      void response.setHeader("content-type", "text/html").end(numbered(new URL(url, "http://a.test").searchParams)),
    "/item":
      "<main><h1>Item</h1><p id=o></p><script>o.textContent = `It is a ${location.search.slice(1)}.`</script></main>",
  });
  browsers = await TestBrowsers.start();
  record = await makeFunction("search for lamp, click lamp, extract the text");
});

afterAll(async () => {
  await browsers[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

/** Makes the function that a task ends in. */
async function makeFunction(task: string, path = ""): Promise<FunctionRecord> {
  await using place = await browsers.openPlace();
  return createRecord([], await new Planner().work(`Open ${site.url}${path}, ${task}`, place.workplace));
}

describe("a part that is known by a value", () => {
  test("is not taken for another one because of its test id", async () => {
    await using place = await browsers.openPlace();
    await expect(place.run(record, { search_term: "sofa" })).rejects.toMatchObject({ code: "step_failed" });
  });

  test("is not kept under the name that it has for one of them", async () => {
    names = { lamp: ["Lamps"], chair: ["chair"] };
    const records: FunctionRecord[] = [];
    await using place = await browsers.openPlace();
    const { data } = await place.run(record, {}, { keep: (healed) => records.push(healed) });
    names = shelves;
    expect(data).toMatchObject({ text: expect.stringContaining("It is a Lamps.") });
    expect(records).toEqual([]);
  });

  test("is not kept so when the model finds it, either", async () => {
    names = { lamp: ["Leuchte"], chair: ["chair"] };
    const stub = await startStubModelServer((request) => ({ json: { ref: refIn(request, 'link "Leuchte"') } }));
    const records: FunctionRecord[] = [];
    const model = createModel({ baseUrl: stub.baseUrl, name: "stub", prices });
    await using place = await browsers.openPlace();
    const worker = new FunctionWorker(record, {}, { model, keep: (healed) => records.push(healed) });
    const { data } = await worker.work("", place.workplace);
    names = shelves;
    await stub.close();
    expect(data).toMatchObject({ text: expect.stringContaining("It is a Leuchte.") });
    expect(records).toEqual([]);
  });
});

test("a function of all pages reads all of them, though there was one when it was made", async () => {
  const paged = await makeFunction("search for lamp, extract the table from all pages");
  await using place = await browsers.openPlace();
  const { data } = await place.run(paged, { search_term: "chair" });
  expect(data).toEqual({ table: ["chair", "stool", "bench"].map((Name) => ({ Name, Price: "1" })) });
});

test.each(["span", "link", "item"])(
  "pages are followed by their numbers where nothing is called next: %s",
  async (by) => {
    const paged = await makeFunction("extract the table from all pages", `/numbered?by=${by}`);
    await using place = await browsers.openPlace();
    const { data } = await place.run(paged);
    expect(data).toEqual({ table: ["row 1", "row 2", "row 3"].map((Name) => ({ Name, Price: "1" })) });
  },
);
