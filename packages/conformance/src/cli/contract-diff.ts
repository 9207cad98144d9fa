import type { Command } from "commander";
import { diffContracts } from "../contract-diff/contract-diff.ts";
import { readContract } from "../contract-diff/document.ts";
import { renderContractChanges } from "../contract-diff/changes-text.ts";
import { visibleJson } from "../report/visible-text.ts";

/** Adds `conformance contract-diff`. */
export function register(program: Command): void {
  program
    .command("contract-diff")
    .description("breaking, additive and documentation changes from one contract to another")
    .argument("<old>", "OpenAPI 3.1 or 3.2, YAML or JSON, with references within the document only")
    .argument("<new>", "the same of the later version")
    .option("--json", "as JSON")
    .addHelpText(
      "after",
      `
Breaking is what makes a caller fail who was written for OLD and did nothing wrong:
  removed      operation, address, parameter, body, status, media type, header, field, value of a list, event:
               who sends it is rejected, who waits for it waits in vain
  requests     more is asked or less is accepted: required, types, bounds, formats, unknown fields
  responses    less is promised or more can come: no longer required, null or another type, wider bounds, new values
  events       one removed; one added that ends the stream, or that begins or ceases to; their fields as in responses
  security     any change of who is let in, looser ones too: a release must not open unseen what was closed
  defaults     changed or removed: who leaves the field out relies on it
  names        operationId and path parameters, because generated clients are called by them
Additive: new operations, statuses, media types, headers, optional fields and parameters, events that do not end the
stream, ways to be let in; what requests may do more; what responses promise more. Readers are taken to pass over fields
and events that they do not know. Documentation: the rest. Reordering is no change.

Exit codes:
  0  nothing is breaking
  1  something is breaking
  2  a document could not be read`,
    )
    .action((old: string, now: string, flags: { json?: boolean }) => {
      const diff = diffContracts(readContract(old), readContract(now));
      process.stdout.write(flags.json === true ? `${visibleJson(diff)}\n` : renderContractChanges(diff));
      process.exitCode = diff.breaking ? 1 : 0;
    });
}
