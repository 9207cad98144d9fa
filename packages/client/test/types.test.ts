import type { AutomationStream } from "@cloud-browser/stream";
import type { components } from "@cloud-browser/spec/types";
import { expectTypeOf, test } from "vitest";
import {
  createCloudBrowser,
  type ClientErrorCode,
  type CloudBrowser,
  type CookiesResponse,
  type ReplayResponse,
  type ScrapeRequest,
} from "../src/index.ts";

type Schemas = components["schemas"];

test("the types say what they should; tsc is the judge", () => {
  expectTypeOf(createCloudBrowser).returns.toEqualTypeOf<CloudBrowser>();
  expectTypeOf<CloudBrowser["cookies"]>().returns.resolves.toEqualTypeOf<CookiesResponse>();
  expectTypeOf<CloudBrowser["replay"]>().returns.resolves.toEqualTypeOf<ReplayResponse>();
  expectTypeOf<CloudBrowser["automate"]>().returns.resolves.toEqualTypeOf<AutomationStream>();
  expectTypeOf<CloudBrowser["automate"]>().parameter(0).toEqualTypeOf<{ query: string }>();
  expectTypeOf<{ only_images: true }>().toExtend<ScrapeRequest>();
  expectTypeOf<{ selector: 1 }>().not.toExtend<ScrapeRequest>();
  expectTypeOf<"validation" | "redirect" | "misuse">().toExtend<ClientErrorCode>();
  expectTypeOf<string>().not.toExtend<ClientErrorCode>();
  expectTypeOf<CloudBrowser["raw"]["GET"]>()
    .parameter(0)
    .toEqualTypeOf<"/sessions/{session_id}/cookies" | "/sessions/{session_id}/replay">();
});
