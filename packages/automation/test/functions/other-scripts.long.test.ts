import { afterAll, beforeAll, expect, test } from "vitest";
import { startSite } from "@cloud-browser/testing/site.ts";
import { Planner } from "../../src/planner/planner.ts";
import { createRecord, TestBrowsers } from "./workplace.ts";

let browsers: TestBrowsers;

beforeAll(async () => {
  browsers = await TestBrowsers.start();
});

afterAll(async () => {
  await browsers[Symbol.asyncDispose]();
});

test.each([
  ["Japanese", "お名前", "都市", ["東京都", "大阪市"]],
  ["Russian", "Фамилия", "Город", ["Москва", "Казань"]],
  ["Arabic", "الاسم", "المدينة", ["القاهرة", "طنجة"]],
  ["Hindi", "पूरा नाम", "शहर", ["दिल्ली", "मुंबई"]],
])("a function of a form in %s runs again with other values", async (_, field, list, cities) => {
  const forms: string[] = [];
  const options = cities.map((city) => `<option>${city}`).join("");
  const form = `<form action=/sent><label>${field} <input name=a></label><label>${list} <select name=b>${options}</select></label>
    <button>OK</button></form>`;
  await using site = await startSite({
    "/": `<!doctype html><meta charset=utf-8>${form}`,
    "/sent": ({ url = "" }, response) => {
      const { searchParams } = new URL(url, "http://a.test");
      forms.push([searchParams.get("a"), searchParams.get("b")].join(" "));
      response.setHeader("content-type", "text/html").end("<p>Thank you");
    },
  });
  await using place = await browsers.openPlace();
  const [first = "", second = ""] = cities;
  const task = `Open ${site.url}, fill "${field}" with "Ada", select "${first}" from "${list}", click "OK"`;
  const work = await new Planner().work(task, place.workplace);
  expect(new Set(work.variables.map(({ value }) => value))).toEqual(new Set(["Ada", first]));
  const [name = "", city = ""] = ["Ada", first].map((value) => work.variables.find((one) => one.value === value)?.name);
  await using again = await browsers.openPlace();
  await again.run(createRecord([], work), { [name]: "Grace", [city]: second });
  expect(forms).toEqual([`Ada ${first}`, `Grace ${second}`]);
});
