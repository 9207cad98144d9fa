// The one thing in this package that is code: it puts the words of a service in place of the neutral ones of the interface.
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const folder = fileURLToPath(new URL("..", import.meta.url));

export const neutralWords = { automationWord: "automation", serviceWord: "service" };
export const templateWords = { automationWord: "AUTOMATION_WORD", serviceWord: "SERVICE_WORD" };

export const documents = ["openapi.yaml", "openapi.json", "openapi-3.1.json", "openapi-mock.json", "types.d.ts"];
export const overlays = ["openapi", "openapi-3.1", "openapi-mock"].map((name) => `overlays/${name}.overlay.json`);

export function withWords(text, words, before = neutralWords) {
  for (const [name, word] of Object.entries({ ...neutralWords, ...words })) {
    if (!/^[\w-]+$/.test(word)) {
      throw new RangeError(`malformed ${name} ${JSON.stringify(word)}: use letters, digits, - and _`);
    }
  }
  const [from, to] = [before, { ...neutralWords, ...words }].map(listNames);
  return from.reduce((changed, name, index) => changed.replaceAll(name, to[index]), text);
}

/** Everything that has a word: a path and two headers. */
function listNames({ automationWord, serviceWord }) {
  return [`/api/${automationWord}/start`, `x-${serviceWord}-request-origin`, `x-${serviceWord}-sdk-version`];
}

const usage = `Writes the contract of a service with words of its own.

  --automation-word <word>  word in the path of automations, /api/<word>/start (default: CLOUD_BROWSER_AUTOMATION_WORD, or automation)
  --service-word <word>     word in the names of two headers, x-<word>-sdk-version (default: CLOUD_BROWSER_SERVICE_WORD, or service)
  --out <folder>            where ${documents.join(", ")}, overlays and examples are written
`;

export function writeContract(args, textOf, env = process.env) {
  try {
    const { values } = parseArgs({
      args,
      options: {
        "automation-word": { type: "string", default: env.CLOUD_BROWSER_AUTOMATION_WORD || undefined },
        "service-word": { type: "string", default: env.CLOUD_BROWSER_SERVICE_WORD || undefined },
        out: { type: "string" },
        help: { type: "boolean", short: "h" },
      },
    });
    if (values.help) return { code: 0, said: usage };
    const out = requireFolder(values.out);
    const words = { automationWord: values["automation-word"], serviceWord: values["service-word"] };
    const texts = [
      ...documents.map((name) => [name, withWords(textOf(name), dropUndefined(words))]),
      ...overlays.map((name) => [name, withWords(textOf(name), dropUndefined(words), templateWords)]),
    ];
    for (const [name, text] of texts) {
      const file = join(out, name);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
    cpSync(join(folder, "examples"), join(out, "examples"), { recursive: true });
    return { code: 0, said: [...texts.map(([name]) => `wrote ${join(out, name)}\n`), ""].join("") };
  } catch (error) {
    if (error instanceof RangeError || String(error?.code).startsWith("ERR_PARSE_ARGS")) {
      return { code: 2, said: `${error.message}\n\n${usage}` };
    }
    throw error;
  }
}

/** Words that are undefined are neutral. */
function dropUndefined(words) {
  return Object.fromEntries(Object.entries(words).filter(([, word]) => word !== undefined));
}

/** The folder to write to, which is not the contract's own: its files stay as they are. */
function requireFolder(out) {
  if (out === undefined || out.trim() === "") throw new RangeError("--out is missing: name a folder to write to");
  const inside = relative(folder, resolve(out));
  if (inside !== ".." && !inside.startsWith(`..${sep}`) && resolve(out) === resolve(folder, inside)) {
    throw new RangeError(
      `--out ${out} is inside the contract itself, whose files stay as they are: name another folder`,
    );
  }
  return out;
}
