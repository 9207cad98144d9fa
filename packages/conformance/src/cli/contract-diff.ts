import type { Command } from "commander";
import { ContractError, diffContracts, readContract, type ContractDiff } from "@cloud-browser/contract-diff";
import { SuiteError } from "../http/suite-error.ts";
import { visibleJson, visibleLine } from "../report/visible-text.ts";

/** Adds `conformance contract-diff`. */
export function register(program: Command): void {
  program
    .command("contract-diff")
    .description("compare two contracts: breaking, additive and documentation changes")
    .argument("<old>", "OpenAPI 3.1 or 3.2, YAML or JSON, with references within the document only")
    .argument("<new>", "the later version of the same document")
    .option("--json", "as JSON")
    .addHelpText(
      "after",
      `
A change is breaking when a correct caller of OLD can fail:
  removed      operation, server URL, parameter, body, status, media type, header, field, enum value, event:
               callers that send it are rejected, and callers that read it do not get it
  requests     more is required or less is accepted: required fields, types, bounds, formats, unknown fields
  responses    less is guaranteed or more is possible: no longer required, null or another type, wider bounds, new values
  events       one removed; a terminal event added; one that becomes terminal, or no longer is; fields as in responses
  security     any change of access, wider access as well: a release must not open an operation unnoticed
  defaults     changed or removed: callers that leave the field out rely on it
  names        operationId and path parameters: generated clients use them as names
A change is additive when callers can do more: new operations, statuses, media types, headers, optional fields and
parameters, other events, alternative credentials, wider requests, stronger guarantees of responses. Callers are
expected to ignore unknown fields and events. All other changes are documentation; a new order is not a change.

Exit codes:
  0  nothing is breaking
  1  something is breaking
  2  a document could not be read`,
    )
    .action((old: string, now: string, flags: { json?: boolean }) => {
      const diff = compare(old, now);
      process.stdout.write(flags.json === true ? `${visibleJson(diff)}\n` : renderContractChanges(diff));
      process.exitCode = diff.breaking ? 1 : 0;
    });
}

function compare(old: string, now: string): ContractDiff {
  try {
    return diffContracts(readContract(old), readContract(now));
  } catch (cause) {
    if (cause instanceof ContractError) throw new SuiteError("usage", cause.message, { cause });
    throw cause;
  }
}

/** Renders the changes of a contract as plain text for people: the sentence, then the changes by class and operation. */
function renderContractChanges({ old, new: now, sentence, changes }: ContractDiff): string {
  const parts = [...Map.groupBy(changes, (change) => change.class)].map(([kind, group]) => {
    const places = [...Map.groupBy(group, (change) => change.where[0] ?? "")].map(([first, rows]) =>
      [
        `  ${visibleLine(first)}`,
        ...rows.map((row) => `    ${visibleLine([...row.where.slice(1), row.what].join(" > "))}`),
      ].join("\n"),
    );
    return [`${kind} (${group.length})`, ...places].join("\n");
  });
  return `${[`${sentence}\n${visibleLine(`version ${old}, now ${now}`)}`, ...parts].join("\n\n")}\n`;
}
