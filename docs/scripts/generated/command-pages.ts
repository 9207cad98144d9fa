import { makeSuiteProgram } from "../../../packages/conformance/src/cli/program.ts";
import { settingRows } from "../../../packages/conformance/src/configuration/settings-table.ts";
import { findCommandFacts } from "../../../packages/cli/src/command/command.ts";
import { exitCodes } from "../../../packages/cli/src/errors/exit-codes.ts";
import { createProgram } from "../../../packages/cli/src/program/program.ts";
import { createTerminal } from "../../../packages/cli/src/terminal/terminal.ts";
import { makeServiceProgram } from "../../../packages/service/src/cli/program.ts";
import { code, fence, headingSlug, prose, table } from "../markdown.ts";
import type { SitePage } from "../page.ts";

/** A command of a command line, and one of its flags. */
type Command = ReturnType<typeof makeServiceProgram>;
type Option = Command["options"][number];

/** Variables that stand for no flag: secrets, and those that only the client reads. */
const secrets: readonly (readonly [name: string, meaning: string])[] = [
  [
    "CLOUD_BROWSER_API_KEY",
    "API key: of the service that the client calls or the suite judges; of the service itself, the key that it accepts. Only here, never a flag.",
  ],
  ["CLOUD_BROWSER_MODEL_KEY", "Key of the model that the service uses. Only here, never a flag."],
  ["CLOUD_BROWSER_PROFILE_KEY", "Key that the service encrypts profiles with. Only here, never a flag."],
  [
    "CLOUD_BROWSER_LOG",
    "Least level that the client logs: `debug`, `info`, `warn`, `error` or `off`. Without secrets.",
  ],
];

/** Returns the pages of the command lines, and the page of all variables and settings. */
export function makeCommandPages(): SitePage[] {
  const { stdin, stdout, stderr } = process;
  const terminal = createTerminal({ stdin, stdout, stderr, env: {} });
  const ownProgram = createProgram({ terminal, signal: new AbortController().signal, interrupt: () => undefined });
  const programs: readonly Command[] = [ownProgram, makeServiceProgram(), makeSuiteProgram()];
  return [
    makeCommandsPage(programs),
    ...programs.map((program) => makeProgramPage(program, programs)),
    makeConfigurationPage(programs),
  ];
}

function makeCommandsPage(programs: readonly Command[]): SitePage {
  return {
    slug: "commands",
    title: "Command lines",
    description:
      "The commands and flags of cloud-browser, cloud-browser-service and conformance, and their exit codes.",
    body: [
      ...programs.map((program) =>
        [
          `## ${program.name()}`,
          prose(program.description()),
          table(
            ["command", "does"],
            listCommands(program).map(({ path, command }) => [
              `[${code(path)}](/commands/${program.name()}/#${headingSlug(path)})`,
              prose(command.description()),
            ]),
          ),
        ].join("\n\n"),
      ),
      "## Exit codes",
      "Of `cloud-browser`:",
      table(
        ["code", "meaning"],
        Object.values(exitCodes).map(([number, meaning]) => [String(number), prose(meaning)]),
      ),
      "Of `conformance`:",
      table(
        ["code", "meaning"],
        [
          ["0", "conforming"],
          ["1", "a stated requirement is not met, or an expected failure is stale or expired"],
          ["2", "the call or the configuration is wrong, or no check ran"],
          ["3", "the run could not be finished: the target is not reached, or the suite failed"],
        ],
      ),
      "Of `cloud-browser-service`: 2 for a wrong call or setting, 3 for what could not be done; [its errors](/errors/service/).",
    ].join("\n\n"),
  };
}

function makeProgramPage(program: Command, programs: readonly Command[]): SitePage {
  const sections = listCommands(program).map(({ path, command }) => {
    const args = command.registeredArguments.map((one) => {
      const name = one.variadic ? `${one.name()}...` : one.name();
      return one.required ? `<${name}>` : `[${name}]`;
    });
    const options = command.options.filter(({ hidden }) => !hidden);
    const examples = findCommandFacts(command)?.examples ?? [];
    return [
      `## ${path}`,
      prose(command.description()),
      fence("sh", [path, ...(options.length > 0 ? ["[options]"] : []), ...args].join(" ")),
      options.length === 0
        ? ""
        : table(
            ["flag", "meaning"],
            options.map((option) => [code(option.flags), describeOption(option)]),
          ),
      readElsewhere(command, program, programs),
      examples.length === 0 ? "" : fence("sh", examples.map((one) => `${program.name()} ${one}`).join("\n")),
    ]
      .filter((part) => part !== "")
      .join("\n\n");
  });
  return {
    slug: `commands/${program.name()}`,
    title: program.name(),
    description: program.description(),
    body: [prose(program.description()), ...sections].join("\n\n"),
  };
}

/** Describes where the commands and flags of another program are documented. */
function readElsewhere(command: Command, program: Command, programs: readonly Command[]): string {
  const takesAll = command.registeredArguments.some((one) => one.variadic && one.name() === "args");
  if (!takesAll) return "";
  const first = programs
    .filter((one) => one !== program)
    .flatMap((one) => listCommands(one).map(({ path }) => ({ name: one.name(), path })))
    .find(({ name, path }) => `${path} `.startsWith(`${name} ${command.name()} `));
  if (first === undefined) return "";
  return `The rest of its call is read by another program: see [${first.path}](/commands/${first.name}/#${headingSlug(first.path)}).`;
}

function describeOption({ description, defaultValue, defaultValueDescription, envVar, argChoices }: Option): string {
  const initial: unknown = defaultValue;
  const says = description.includes("(default:") || initial === undefined || initial === false;
  return [
    prose(description),
    ...(argChoices ? [`One of ${argChoices.map(code).join(", ")}.`] : []),
    ...(says
      ? []
      : [
          `Default: ${code(defaultValueDescription ?? (typeof initial === "string" ? initial : JSON.stringify(initial)))}.`,
        ]),
    ...(envVar === undefined ? [] : [`Variable: ${code(envVar)}.`]),
  ].join(" ");
}

/** Returns the commands that do something, with their whole names. */
function listCommands(program: Command): { readonly path: string; readonly command: Command }[] {
  const listBelow = (command: Command, path: string): { path: string; command: Command }[] =>
    command
      .createHelp()
      .visibleCommands(command)
      .filter((one) => one.name() !== "help")
      .flatMap((one) => {
        const own = `${path} ${one.name()}`;
        return one.commands.length === 0 ? [{ path: own, command: one }] : listBelow(one, own);
      });
  return listBelow(program, program.name());
}

function makeConfigurationPage(programs: readonly Command[]): SitePage {
  const variables = new Map<string, { flags: Set<string>; meaning: string }>();
  for (const program of programs) {
    for (const { path, command } of listCommands(program)) {
      for (const { envVar, long, flags, description } of command.options) {
        if (envVar === undefined) continue;
        const variable = variables.get(envVar) ?? { flags: new Set(), meaning: description };
        variable.flags.add(`\`${path} ${long ?? flags}\``);
        variables.set(envVar, variable);
      }
    }
  }
  for (const [, { environment, flag = "", text }] of settingRows) {
    if (environment === undefined) continue;
    const variable = variables.get(environment) ?? { flags: new Set(), meaning: text };
    variable.flags.add(`\`conformance run ${flag.split(" ", 1)[0] ?? ""}\``);
    variables.set(environment, variable);
  }
  const rows = [...variables].sort(([a], [b]) => a.localeCompare(b));
  return {
    slug: "configuration",
    title: "Configuration",
    description: "Every environment variable, and every setting of the suite's configuration file.",
    body: [
      "A flag wins over a variable, a variable over a file, a file over the default. An empty variable is refused, and one that is misspelt is named when the service starts.",
      "## Secrets and variables without a flag",
      table(
        ["variable", "meaning"],
        secrets.map(([name, meaning]) => [code(name), meaning]),
      ),
      "## Variables",
      table(
        ["variable", "stands for", "meaning"],
        rows.map(([name, { flags, meaning }]) => [code(name), shortList([...flags]), prose(meaning)]),
      ),
      "## The suite's configuration file",
      "`conformance.config.{ts,mts,js,mjs,json,yaml,yml}` in the working folder. Its schema is `@cloud-browser/conformance/configuration.schema.json`; `conformance config` shows every value, and where it came from.",
      table(
        ["setting", "flag", "meaning", "default"],
        settingRows.map(([name, { flag, text, otherwise, more }]) => [
          code(name),
          flag === undefined ? "" : code(flag),
          [`${prose(text)}.`, more ?? ""].filter((part) => part !== "").join(" "),
          prose(otherwise ?? ""),
        ]),
      ),
    ].join("\n\n"),
  };
}

function shortList(items: readonly string[]): string {
  return items.length > 3 ? `${items.slice(0, 3).join(", ")} and ${items.length - 3} more` : items.join(", ");
}
