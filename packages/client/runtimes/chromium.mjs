// The page of headless Chromium.
import * as client from "@cloud-browser/client";
import * as cookies from "@cloud-browser/client/cookies";
import * as replay from "@cloud-browser/client/replay";
import { runCases } from "./cases.mjs";

globalThis.result = await runCases({ client, cookies, replay, origin: location.origin });
