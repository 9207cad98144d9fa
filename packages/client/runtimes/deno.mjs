// Deno: deno run --allow-read --allow-net=127.0.0.1 deno.mjs <not used> <origin of the loopback server>
import * as client from "@cloud-browser/client";
import * as cookies from "@cloud-browser/client/cookies";
import * as replay from "@cloud-browser/client/replay";
import { runCases } from "./cases.mjs";

const result = await runCases({ client, cookies, replay, origin: Deno.args[1] });
console.log(JSON.stringify(result));
Deno.exitCode = result.failed.length > 0 ? 1 : 0;
