// workerd: ORIGIN=<origin of the loopback server> workerd test workerd.capnp
import * as stream from "@cloud-browser/stream";
import { runCases } from "./cases.mjs";

export default {
  /** What `workerd test` calls. It fails by throwing. */
  async test(_controller, { ORIGIN: origin, CASES: cases }) {
    const result = await runCases({ stream, cases, origin });
    console.log(JSON.stringify(result));
    if (result.failed.length > 0) throw new Error(`${result.failed.length} failed`);
  },
};
