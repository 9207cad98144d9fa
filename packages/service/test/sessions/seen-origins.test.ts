import { EventEmitter } from "node:events";
import { expect, test } from "vitest";
import { SeenOrigins } from "../../src/sessions/documents/seen-origins.ts";

/** Origins that are kept of a context whose pages show these URLs one after the other. */
function listSeen(...pages: readonly (readonly string[])[]): readonly string[] {
  const context = new EventEmitter();
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what is used of a context
  const origins = new SeenOrigins(context as unknown as ConstructorParameters<typeof SeenOrigins>[0]);
  for (const urls of pages) {
    const page = new EventEmitter();
    context.emit("page", page);
    for (const url of urls) page.emit("framenavigated", { url: () => url });
  }
  return [...origins];
}

test("origins of all documents of all pages are kept, each once", () => {
  const ferries = ["https://ferries.example/a?b#c", "http://127.0.0.1:8080/", "https://ferries.example/"];
  expect(listSeen(ferries, ["https://tickets.example/"])).toEqual([
    "https://ferries.example",
    "http://127.0.0.1:8080",
    "https://tickets.example",
  ]);
});

test("documents without an origin have none", () => {
  expect(listSeen(["about:blank", "data:text/html,a", "about:srcdoc", "", "chrome-error://chromewebdata/"])).toEqual(
    [],
  );
});

test("of more than 2,000 origins the oldest are forgotten", () => {
  const origins = listSeen(Array.from({ length: 2_500 }, (_, index) => `https://site-${index}.example/`));
  expect(origins).toHaveLength(2_000);
  expect(origins.at(0)).toBe("https://site-500.example");
  expect(origins.at(-1)).toBe("https://site-2499.example");
});
