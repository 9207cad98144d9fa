// workerd: ORIGIN=<origin of the loopback server> workerd test workerd.capnp
import * as client from "@cloud-browser/client";
import * as cookies from "@cloud-browser/client/cookies";
import * as replay from "@cloud-browser/client/replay";
import { runCases } from "./cases.mjs";

export default {
  /** What `workerd test` calls. It fails by throwing. */
  async test(_controller, { ORIGIN: origin }) {
    const result = await runCases({ client, cookies, replay, origin });
    console.log(JSON.stringify(result));
    if (result.failed.length > 0) throw new Error(`${result.failed.length} failed`);
  },
};
