import { shownCommand } from "./shown-command.ts";
import {
  readAutomationStream,
  type AutomationSource,
  type Outcome,
  type StreamError,
  type StreamEvent,
} from "@cloud-browser/stream";
import { InvalidArgumentError, Option, type Command } from "commander";
import { ServiceError } from "../service-error.ts";
import { printable } from "./columns.ts";
import { type GivenProfile, givenProfile } from "./profiles/profile-flags.ts";
import { addReachFlags, requestService, type ReachFlags } from "./reach.ts";

interface RunFlags extends ReachFlags {
  readonly var: Readonly<Record<string, string>>;
  readonly json?: true;
  readonly profile?: GivenProfile;
}

/** Adds the command that runs a function. */
export function register(program: Command): void {
  const command = program
    .command("run")
    .description(
      "run a function again, and print the data that it extracts as JSON; its progress goes to standard error",
    )
    .argument("<function_id>")
    .addOption(
      new Option("--var <name=value>", "value of a variable; repeatable").argParser(variable).default({}, "none"),
    )
    .option(
      "--profile <name>",
      "profile that it begins with and writes back at its end; NAME:read writes nothing back",
      givenProfile,
    )
    .option("--json", "print the data only, and no progress");
  addReachFlags(command).action(run);
}

async function run(id: string, flags: RunFlags): Promise<void> {
  const path = `/control/functions/${encodeURIComponent(id)}`;
  const { var: variables, profile } = flags;
  const body = { variables, ...(profile && { profile }) };
  await printRun(await requestService(flags, "POST", `${path}/run`, body), flags);
}

/**
 * Prints the events of a run until it ends: its progress, and then the data that it extracted as JSON.
 *
 * @throws {ServiceError} `page-failed` when it does not end well.
 */
export async function printRun(events: AutomationSource, flags: { readonly json?: true }): Promise<void> {
  const stream = readAutomationStream(events);
  const tools: string[] = [];
  for await (const event of stream) {
    const line = progressOf(event, tools);
    if (line !== undefined && !flags.json) console.error(line);
  }
  const outcome = await stream.outcome();
  if (outcome.type !== "done") throw new ServiceError("page-failed", printable(failureOf(outcome)));
  const { metadata } = outcome.event;
  const data: unknown = "data" in metadata ? metadata.data : undefined;
  if (flags.json || data !== undefined) console.log(JSON.stringify(data ?? {}, undefined, 2));
}

/** One line for each tool, when it is done, and for each time that the run waits for a person. */
function progressOf(event: StreamEvent, tools: string[]): string | undefined {
  if (event.type === "status" && event.status === "waiting_for_person") return waitingOf(event);
  if (event.type === "tool_start") tools.push(textOf(event.name));
  return event.type === "tool_result"
    ? `${(tools.shift() ?? "").padEnd(13)} ${printable(textOf(event.content))}`
    : undefined;
}

function waitingOf(event: object): string {
  if (!("message" in event && "handover_id" in event)) return `${"waiting".padEnd(13)} a person controls the session`;
  const { message, handover_id: id } = event;
  const answer = `${shownCommand} handover answer ${printable(textOf(id))} done`;
  return `${"waiting".padEnd(13)} for a person: ${printable(textOf(message))} (${answer})`;
}

function failureOf(outcome: Exclude<Outcome, { type: "done" }>): string {
  switch (outcome.type) {
    case "error":
      return `${textOf(outcome.event.detail)} (${textOf(outcome.event.error)})`;
    case "timeout":
      return `${textOf(outcome.event.detail)} (${textOf(outcome.event.reason)})`;
    case "cancelled":
      return `the run was cancelled (${textOf(outcome.event.reason)})`;
    case "broken":
      return `the events of the run broke off (${reasonOf(outcome.error)}); it may still be active: list runs with \`cloud-browser runs\``;
    case "left":
      return "stopped following the run";
  }
}

function reasonOf({ message, cause }: StreamError): string {
  return cause instanceof Error ? `${message}: ${cause.message}` : message;
}

/** Fields of events are as the service sent them. */
function textOf(field: unknown): string {
  return typeof field === "string" ? field : (JSON.stringify(field) ?? "");
}

function variable(text: string, before: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const [, name, value] = /^([\p{ID_Start}_]\p{ID_Continue}*)=(.*)$/su.exec(text) ?? [];
  if (name === undefined || value === undefined) throw new InvalidArgumentError("Give name=value, such as term=tea.");
  return { ...before, [name]: value };
}
