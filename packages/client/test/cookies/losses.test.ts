import { expect, test } from "vitest";
import type { CookieLoss } from "../../src/cookies.ts";
import { conversions } from "./cookie-conversions.ts";
import { fullCookie } from "./cookie-samples.ts";

const noLists = [undefined, null, 7, {}, { cookies: {} }, { cookies: "s3cr3t" }];
const misuses = conversions.flatMap(({ name, run, takes }) =>
  [...noLists, takes === "list" ? "s3cr3t" : ["s3cr3t"]].map((input) => ({ name, run, input })),
);
test.for(misuses)("$name calls it misuse, and quotes nothing: $input", ({ run, input }) => {
  expect(() => Reflect.apply(run, undefined, [input])).toThrow(
    expect.objectContaining({ name: "ClientError", code: "misuse", message: expect.not.stringContaining("s3cr3t") }),
  );
});

const odd = [
  null,
  7,
  "s3cr3t",
  ["s3cr3t"],
  { name: {}, key: [], value: "s3cr3t" },
  { name: "a", key: "a", value: { s3cr3t: "s3cr3t" } },
  {
    name: "a",
    key: "a",
    value: "s3cr3t\n",
    domain: 7,
    path: [],
    expires: {},
    sameSite: [],
    partitionKey: Symbol("s3cr3t"),
  },
  {
    name: "a",
    key: "a",
    value: "s3cr3t",
    domain: "a.example",
    path: {},
    url: "s3cr3t",
    maxAge: "s3cr3t",
    priority: [],
  },
  {
    name: "a",
    key: "a",
    value: "s3cr3t",
    domain: "a.example",
    expires: "s3cr3t",
    session: "s3cr3t",
    storeId: "s3cr3t",
  },
  { name: "a", key: "a", value: "s3cr3t", url: 7, partitionKey: { sourceOrigin: {} }, creation: {}, lastAccessed: 7 },
];
test.for(conversions.filter(({ takes }) => takes === "list"))("$name never throws for a cookie", ({ run }) => {
  expect(Reflect.apply(run, undefined, [odd])).toMatchObject({ losses: expect.anything() });
});

const reported = [
  "s3cr3t",
  "a=b; s3cr3t; s3cr3t\u0000=s3cr3t; c=s3cr3t\u0000",
  "s3cr3t\na.example\tTRUE\t/\tTRUE\t0\t\ts3cr3t\na.example\tTRUE\t/\tTRUE\ts3cr3t\ta\ts3cr3t\na.example\tTRUE\t/\tTRUE\t0\ta\ts3cr3t\ts3cr3t",
];
test.for(conversions)("$name reports no value in its losses", ({ run, takes }) => {
  for (const input of takes === "list"
    ? [odd, [{ ...fullCookie, key: "a", partitionKey: "x", sameSite: "?" }]]
    : reported) {
    const { losses }: { losses: CookieLoss[] } = Reflect.apply(run, undefined, [input]);
    expect(losses.length).toBeGreaterThan(0);
    expect(JSON.stringify(losses)).not.toContain("s3cr3t");
  }
});
