import type { AutomationEvent, AutomationStream, Outcome, StreamEvent } from "@cloud-browser/stream";
import type { components } from "@cloud-browser/spec/types";
import { expectTypeOf, test } from "vitest";
import {
  createCloudBrowser,
  createSpendLedger,
  type AutomateOptions,
  type AutomationRequest,
  type CallOptions,
  type ClientError,
  type ClientErrorCode,
  type ClientPromise,
  type CloudBrowser,
  type CloudBrowserOptions,
  type CookiesResponse,
  type ImageData,
  type ImagesRequest,
  type Operation,
  type ReplayResponse,
  type ScrapedImages,
  type ScrapedPage,
  type ScrapeOptions,
  type ScrapeRequest,
  type SpendLedger,
  type ValidationProblem,
} from "../src/index.ts";
import { judgedByCompiler } from "./compiler.ts";

type Schemas = components["schemas"];

test("a client is made of options, or of the environment", () => {
  expectTypeOf(createCloudBrowser).returns.toEqualTypeOf<CloudBrowser>();
  expectTypeOf(createCloudBrowser).parameter(0).toEqualTypeOf<CloudBrowserOptions | undefined>();
  expectTypeOf<CloudBrowserOptions["apiKey"]>().toEqualTypeOf<string | (() => string | Promise<string>) | undefined>();
  expectTypeOf<typeof globalThis.fetch>().toExtend<NonNullable<CloudBrowserOptions["fetch"]>>();
  expectTypeOf<Console>().toExtend<NonNullable<CloudBrowserOptions["logger"]>>();
  expectTypeOf<{ apiKey: undefined }>().toExtend<CloudBrowserOptions>();
  expectTypeOf<{ apiKey: 1 }>().not.toExtend<CloudBrowserOptions>();
  expectTypeOf<{ retries: 0 }>().toExtend<CloudBrowserOptions>();
  expectTypeOf<CallOptions>().toExtend<CloudBrowserOptions>();
});

test("a plain scrape gives a page", () =>
  judgedByCompiler(async (client) => {
    expectTypeOf(client.scrape("s")).toEqualTypeOf<ClientPromise<ScrapedPage>>();
    expectTypeOf(client.scrape("s", {})).toEqualTypeOf<ClientPromise<ScrapedPage>>();
    expectTypeOf(client.scrape("s", undefined, {})).toEqualTypeOf<ClientPromise<ScrapedPage>>();
    expectTypeOf(client.scrape("s", { only_main_content: true })).resolves.toEqualTypeOf<ScrapedPage>();
    expectTypeOf(client.scrape("s", { only_images: false })).resolves.toEqualTypeOf<ScrapedPage>();
    expectTypeOf(client.scrape("s", { response_format: null })).resolves.toEqualTypeOf<ScrapedPage>();
    expectTypeOf(client.scrape("s", { instructions: null })).resolves.toEqualTypeOf<ScrapedPage>();
    const page = await client.scrape("s");
    expectTypeOf(page.markdown).toEqualTypeOf<string>();
    expectTypeOf(page.images).toEqualTypeOf<readonly ImageData[] | null | undefined>();
    // @ts-expect-error: nothing was to be extracted
    void page.structured;
  }));

test("a scrape for images gives images", () =>
  judgedByCompiler(async (client) => {
    expectTypeOf(client.scrape("s", { only_images: true })).toEqualTypeOf<ClientPromise<ScrapedImages>>();
    const { images } = await client.scrape("s", { only_images: true, scrape_links: false });
    expectTypeOf(images).toEqualTypeOf<readonly ImageData[]>();
    expectTypeOf(images[0]?.category).toEqualTypeOf<Schemas["ImageData"]["category"]>();
  }));

test("a request may come from a variable", () =>
  judgedByCompiler(async (client) => {
    const literal = { only_main_content: true, ignored_tags: ["nav"], selector: null };
    expectTypeOf(client.scrape("s", literal)).resolves.toEqualTypeOf<ScrapedPage>();
    const constant = { only_images: true, ignored_tags: ["nav"] } as const;
    expectTypeOf(client.scrape("s", constant)).resolves.toEqualTypeOf<ScrapedImages>();
    const satisfying = { only_images: true } satisfies ScrapeRequest;
    expectTypeOf(client.scrape("s", satisfying)).resolves.toEqualTypeOf<ScrapedImages>();
    const widened = { only_images: true }; // its type says no more than boolean
    expectTypeOf(client.scrape("s", widened)).resolves.toEqualTypeOf<ScrapedPage>();
    const request: ScrapeRequest = { only_images: true };
    expectTypeOf(client.scrape("s", request)).resolves.toEqualTypeOf<ScrapedPage>();
    const images: ImagesRequest = { only_images: true };
    expectTypeOf(client.scrape("s", images)).resolves.toEqualTypeOf<ScrapedImages>();
    const maybe: ScrapeRequest | undefined = request;
    expectTypeOf(client.scrape("s", maybe)).resolves.toEqualTypeOf<ScrapedPage>();
    expectTypeOf({ selector: undefined, scrape_links: undefined }).toExtend<ScrapeRequest>();
  }));

test("the request is that of the contract, and nothing else", () =>
  judgedByCompiler(async (client) => {
    expectTypeOf<keyof ScrapeRequest>().toEqualTypeOf<keyof Schemas["ScrapeRequest"]>();
    expectTypeOf<Schemas["ScrapeRequest"] & { response_format?: null }>().toExtend<ScrapeRequest>();
    expectTypeOf<{ selector: 1 }>().not.toExtend<ScrapeRequest>();
    // @ts-expect-error: the field has another name
    void client.scrape("s", { only_image: true });
    // @ts-expect-error: the field has another name, whatever is beside it
    void client.scrape("s", { only_images: true, onlyMainContent: true });
    // @ts-expect-error: no boolean
    void client.scrape("s", { scrape_links: "yes" });
    // @ts-expect-error: one tag is no list
    void client.scrape("s", { ignored_tags: "nav" });
    // @ts-expect-error: an identifier is a text
    void client.scrape(1);
    // @ts-expect-error: an identifier is needed
    void client.scrape();
    // @ts-expect-error: options have other names
    void client.scrape("s", {}, { timeout: 1 });
    // @ts-expect-error: a task is needed
    void client.automate({});
    // @ts-expect-error: the field has another name
    void client.automate({ query: "q", task: "t" });
  }));

test("options of a call", () =>
  judgedByCompiler(async (client) => {
    const { signal } = new AbortController();
    expectTypeOf<{ signal: AbortSignal; update_metadata: false }>().toExtend<ScrapeOptions>();
    expectTypeOf<{ update_metadata: boolean }>().not.toExtend<CallOptions>();
    expectTypeOf<{ maxEventBytes: number; ledger: SpendLedger }>().toExtend<AutomateOptions>();
    void client.scrape("s", {}, { signal, retries: 0, timeouts: { totalMs: 1 }, headers: { a: "b" } });
    void client.cookies("s", { signal, apiKey: async () => "k", logger: console });
    void client.replay("s", { hooks: { onRetry: ({ delayMs }) => expectTypeOf(delayMs).toEqualTypeOf<number>() } });
    void client.automate({ query: "q" }, { ledger: createSpendLedger({ budgetUsd: 1 }), signal });
    // @ts-expect-error: there is no ledger of cookies
    void client.cookies("s", { ledger: createSpendLedger() });
    // @ts-expect-error: only a scrape has it
    void client.replay("s", { update_metadata: true });
  }));

test("every call gives its answer on request", () =>
  judgedByCompiler(async (client) => {
    type WithResponse<Data> = Promise<{ data: Data; response: Response }>;
    expectTypeOf(client.scrape("s").withResponse()).toEqualTypeOf<WithResponse<ScrapedPage>>();
    expectTypeOf(client.cookies("s").withResponse()).toEqualTypeOf<WithResponse<CookiesResponse>>();
    expectTypeOf(client.replay("s").withResponse()).toEqualTypeOf<WithResponse<ReplayResponse>>();
    expectTypeOf(client.automate({ query: "q" }).withResponse()).toEqualTypeOf<WithResponse<AutomationStream>>();
    expectTypeOf(client.cookies("s")).toExtend<Promise<CookiesResponse>>();
  }));

test("bodies are those of the contract", () =>
  judgedByCompiler(async (client) => {
    expectTypeOf<CookiesResponse["cookies"][number]>().toEqualTypeOf<Schemas["Cookie"]>();
    expectTypeOf<ReplayResponse>().toExtend<Schemas["ReplayResponse"]>();
    expectTypeOf<AutomationRequest>().toEqualTypeOf<{ query: string }>();
    expectTypeOf<CloudBrowser["raw"]["GET"]>()
      .parameter(0)
      .toEqualTypeOf<"/sessions/{session_id}/cookies" | "/sessions/{session_id}/replay">();
    const cookies = await client.raw.GET("/sessions/{session_id}/cookies", { params: { path: { session_id: "s" } } });
    expectTypeOf(cookies.data).toEqualTypeOf<Schemas["CookiesResponse"] | undefined>();
    // @ts-expect-error: not a path of the contract
    void client.raw.GET("/sessions");
  }));

test("the events of an automation are a union by their type", () =>
  judgedByCompiler(async (client) => {
    const stream = await client.automate({ query: "q" });
    for await (const event of stream) {
      expectTypeOf(event).toEqualTypeOf<StreamEvent>();
      if (event.type === "text_delta") expectTypeOf(event.delta).toEqualTypeOf<string>();
      if (event.type === "done") expectTypeOf(event.total_cost_usd).toEqualTypeOf<number>();
      if (event.type === "done") expectTypeOf(event.metadata.thread_id).toEqualTypeOf<string>();
      // @ts-expect-error: not every event has one
      void event.delta;
    }
    expectTypeOf<AutomationEvent["type"]>().toEqualTypeOf<
      | "status"
      | "thinking_delta"
      | "text_delta"
      | "tool_start"
      | "tool_result"
      | "message_complete"
      | "notte_session_data"
      | "function_uploaded"
      | "done"
      | "error"
      | "timeout"
      | "cancelled"
    >();
    const outcome = await stream.outcome();
    expectTypeOf(outcome).toEqualTypeOf<Outcome>();
    if (outcome.type === "done") expectTypeOf(outcome.event.total_cost_usd).toEqualTypeOf<number>();
    // @ts-expect-error: a broken stream has no terminal event
    void outcome.event;
  }));

/** Needs no default: the compiler knows that all codes are there. */
function getAdvice(code: ClientErrorCode): string {
  switch (code) {
    case "authentication":
    case "budget":
    case "misuse":
    case "no-control":
      return "change the program";
    case "bad-request":
    case "validation":
    case "not-found":
    case "too-large":
      return "change the call";
    case "rate-limited":
    case "upstream":
    case "server":
    case "network":
    case "timeout":
    case "replay-unavailable":
    case "download":
      return "try again";
    case "redirect":
    case "unexpected-status":
    case "unexpected-content":
    case "extraction":
      return "look at the answer";
    case "aborted":
      return "nothing";
  }
}

test("errors have codes from a closed list", () => {
  expectTypeOf(getAdvice).returns.toEqualTypeOf<string>();
  expectTypeOf<string>().not.toExtend<ClientErrorCode>();
  expectTypeOf<ClientError["code"]>().toEqualTypeOf<ClientErrorCode>();
  expectTypeOf<ClientError["operation"]>().toEqualTypeOf<Operation | undefined>();
  expectTypeOf<ClientError["status"]>().toEqualTypeOf<number | undefined>();
  expectTypeOf<ClientError["problems"]>().toEqualTypeOf<readonly ValidationProblem[]>();
  expectTypeOf<ValidationProblem["ctx"]>().toEqualTypeOf<Record<string, unknown> | undefined>();
  expectTypeOf<ClientError["body"]>().toEqualTypeOf<unknown>();
  expectTypeOf<ClientError>().toExtend<Error>();
});
