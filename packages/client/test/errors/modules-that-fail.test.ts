import { expect, test, vi } from "vitest";
import { createCloudBrowser } from "../../src/index.ts";

vi.mock("../../src/extraction/extraction.ts", () => {
  throw new Error("the module can't be loaded");
});

const fetch = async (): Promise<Response> => Response.json({ markdown: "" });

test("a module that can't be loaded is not blamed on the caller", async () => {
  const client = createCloudBrowser({ apiKey: "key", baseUrl: "https://service.example", fetch });
  const thrown: unknown = await client.scrape("s1", { instructions: "prices" }).catch((error: unknown) => error);
  expect(thrown).toBeInstanceOf(Error);
  expect(thrown).not.toHaveProperty("code", "misuse");
});
