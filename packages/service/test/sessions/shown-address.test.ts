import { afterAll, beforeAll, expect, test } from "vitest";
import { redactPageAddress } from "../../src/sessions/shown-address.ts";
import { startTestService, type TestService } from "../running-service.ts";
import { passwordForms, readShown } from "./password-forms.ts";

test.each<[address: string, shown: string]>([
  ["https://a.example/?q=ferries&page=2#top", "https://a.example/?q=ferries&page=2#top"],
  ["about:blank", "about:blank"],
  ["https://a.example/path@b?x=y@z", "https://a.example/path@b?x=y@z"],
  ["https://me:hunter2@a.example/", "https://a.example/"],
  ["https://me:hun@ter2@a.example/", "https://a.example/"],
  ["https://me@a.example?x=1", "https://a.example?x=1"],
  ["https://a.example/?user=me&password=hunter2", "https://a.example/?user=me&password=***"],
  ["https://a.example/?Passwd=hunter2&x=1", "https://a.example/?Passwd=***&x=1"],
  ["https://a.example/?user%5Bpassword%5D=hunter2", "https://a.example/?user%5Bpassword%5D=***"],
  ["https://a.example/?field7=hunter2", "https://a.example/?field7=***"],
  ["https://a.example/?my+field=hunter2", "https://a.example/?my+field=***"],
  [
    "https://a.example/?access_token=hunter2&X-Amz-Signature=hunter2",
    "https://a.example/?access_token=***&X-Amz-Signature=***",
  ],
  ["https://a.example/?apiKey=hunter2;client_secret=hunter2", "https://a.example/?apiKey=***;client_secret=***"],
  ["https://a.example/#id_token=hunter2&state=1", "https://a.example/#id_token=***&state=1"],
  ["https://a.example/#/sign-in?pin=hunter2", "https://a.example/#/sign-in?pin=***"],
  ["https://a.example/?token=a=hunter2", "https://a.example/?token=***"],
  ["https://a.example/?%E0%A4%A=1&token=hunter2", "https://a.example/?%E0%A4%A=1&token=***"],
  ["https://a.example/in;pw=hunter2/next;x=1?y=2", "https://a.example/in;pw=***/next;x=1?y=2"],
  ["https://a.example/in;user=me;PASSWORD=hun%2Fter2", "https://a.example/in;user=me;PASSWORD=***"],
  ["https://a.example/in&field7=hunter2/x", "https://a.example/in&field7=***/x"],
  [
    "https://a.example/?next=https://b.example/?password=hunter2&x=1",
    "https://a.example/?next=https://b.example/?password=***&x=1",
  ],
  [
    "https://a.example/?next=https%3A%2F%2Fb.example%2F%3Fuser%3Dme%26password%3Dhunter2&x=1",
    "https://a.example/?next=https%3A%2F%2Fb.example%2F%3Fuser%3Dme%26password%3D***&x=1",
  ],
  ["https://a.example/?next=%252Fin%253Ffield7%253Dhunter2", "https://a.example/?next=%252Fin%253Ffield7%253D***"],
  [
    "https://a.example/?next=https%3A%2F%2Fme%3Ahunter2%40b.example%2F",
    "https://a.example/?next=https%3A%2F%2Fb.example%2F",
  ],
  [
    "https://a.example/?https%3A%2F%2Fb.example%2F%3Fpassword%3Dhunter2",
    "https://a.example/?https%3A%2F%2Fb.example%2F%3Fpassword%3D***",
  ],
  [
    "https://a.example/to/https%3A%2F%2Fb.example%2F%3Fpassword%3Dhunter2/x",
    "https://a.example/to/https%3A%2F%2Fb.example%2F%3Fpassword%3D***/x",
  ],
  ["https://a.example/?form=user%3Dme%26password%3Dhunter2", "https://a.example/?form=user%3Dme%26password%3D***"],
  ["https://a.example/?next=%2Fin%3Fpassword%3Dhunter2%E9%ZZ", "https://a.example/?next=%2Fin%3Fpassword%3D***"],
  [
    "https://a.example/?state=%7B%22password%22%3A%22hunter2%22%2C%22x%22%3A1%7D",
    "https://a.example/?state=%7B%22password%22%3A%22***%22%2C%22x%22%3A1%7D",
  ],
  [
    "https://a.example/?next=https%3A%2F%2Fb.example%2F%3Fq%3Dtea%2520pot",
    "https://a.example/?next=https%3A%2F%2Fb.example%2F%3Fq%3Dtea%2520pot",
  ],
  ["https://a.example/?x=abc==&y=100%25", "https://a.example/?x=abc==&y=100%25"],
  ["data:text/html;charset=utf-8,<p>a=b", "data:text/html;charset=utf-8,<p>a=b"],
  ["https://a.example/spinner?pins=3&author=me", "https://a.example/spinner?pins=3&author=me"],
])("an address is shown without secrets: %s", (address, shown) =>
  expect(redactPageAddress(address, new Set(["field7", "my field"]))).toBe(shown),
);

test.each([
  ["encoded", (text: string) => encodeURIComponent(text)],
  ["as a value", (text: string) => `x=${text}`],
  ["encoded as a value", (text: string) => `/?x=${encodeURIComponent(text)}`],
])("a secret is found or removed at any depth: %s", (_, wrap) => {
  let inner = "/in?password=hunter2";
  for (let depth = 1; depth <= 20 && inner.length < 4_000; depth++) {
    inner = wrap(inner);
    expect(redactPageAddress(`https://a.example/?next=${inner}&y=1`, new Set())).toMatch(/\*\*\*.*&y=1$/);
    expect(redactPageAddress(`https://a.example/?next=${inner}&y=1`, new Set())).not.toContain("hunter2");
  }
});

test.each([
  ["escapes of escapes", `?x=%${"25".repeat(1e6)}`],
  ["values of values", `?${"x=".repeat(1e6)}`],
  ["quotes", `?${'"x" '.repeat(5e5)}`],
])("a very long address of nothing but %s takes little time", (_, query) => {
  const begun = process.threadCpuUsage();
  const shown = redactPageAddress(`https://a.example/${query}`, new Set());
  const { user } = process.threadCpuUsage(begun);
  expect(shown.length).toBeLessThanOrEqual(4_097);
  expect(user / 1_000).toBeLessThan(500);
});

test("a very long address is truncated", () =>
  expect(redactPageAddress(`data:text/html,${"x".repeat(2e6)}`, new Set()).length).toBe(4_097));

let running: TestService;
beforeAll(async () => void (running = await startTestService()));
afterAll(() => running[Symbol.asyncDispose]());

test.each(passwordForms.slice(0, 2))(
  "the password of a form that is sent by GET is in no record: %s",
  async (_, page) => {
    expect(await readShown(running, page)).toEqual({ address: "URL/in?who=me&FIELD=***", telling: [] });
  },
);
