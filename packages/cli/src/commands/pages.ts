import { readFileSync } from "node:fs";
import {
  toCookieHeader,
  toCookiesTxt,
  toPlaywrightCookies,
  toPuppeteerCookies,
  type Cookie,
  type CookieList,
  type CookieLoss,
} from "@cloud-browser/client/cookies";
import { Option, type Command } from "commander";
import { findSchema } from "../output/output-schema.ts";
import { addCommand, type Call, type ProgramContext } from "../command/command.ts";
import { CliError } from "../errors/cli-error.ts";
import { readMessage } from "../errors/exit-codes.ts";
import { commaSeparated } from "../command/option-parsers.ts";
import { harmless, jsonText, printable } from "../terminal/printable.ts";
import { printTable } from "../terminal/table.ts";

interface ScrapeFlags {
  readonly schema?: string;
  readonly instructions?: string;
  readonly images?: boolean;
  readonly selector?: string;
  readonly mainContent?: boolean;
  readonly links?: boolean;
  readonly ignoreTags?: readonly string[];
}

interface CookiesFlags {
  readonly format: "table" | "cookies.txt" | "header" | "playwright" | "puppeteer";
  readonly url?: string;
}

/** Adds the commands that read the page and the cookies of a session. */
export function register(program: Command, context: ProgramContext): void {
  addCommand<ScrapeFlags>(
    program,
    context,
    "scrape",
    {
      summary: "print the page of a session: as Markdown, or as data in the structure of a JSON Schema",
      args: { "<session_id>": "id of the session" },
      options: [
        new Option("--schema <file>", "JSON Schema of the data to extract; - for standard input"),
        new Option("--instructions <text>", "which data to extract, in words"),
        new Option("--images", "list the images of the page").conflicts(["schema", "instructions"]),
        new Option("--selector <css>", "part of the page that is meant"),
        new Option("--main-content", "the main content only, without navigation and footers"),
        new Option("--no-links", "leave addresses of links out"),
        new Option("--ignore-tags <names>", "comma-separated names of tags to leave out").argParser(commaSeparated),
      ],
      output: findSchema("interface", "DataSpace"),
      examples: [
        "scrape 0b9c7a52-1c2d-4e3f-8a9b-0c1d2e3f4a5b > page.md",
        "scrape 0b9c7a52-1c2d-4e3f-8a9b-0c1d2e3f4a5b --schema product.schema.json | jq .price",
        "scrape 0b9c7a52-1c2d-4e3f-8a9b-0c1d2e3f4a5b --images --json",
      ],
    },
    scrape,
  );
  addCommand<CookiesFlags>(
    program,
    context,
    "cookies",
    {
      summary: "print the cookies of a session; their values are secrets, and left out of the table",
      args: { "<session_id>": "id of the session" },
      options: [
        new Option("--format <format>", "how they are written; all but the table have their values")
          .choices(["table", "cookies.txt", "header", "playwright", "puppeteer"])
          .default("table"),
        new Option("--url <url>", "address that the header is for (with --format header)"),
      ],
      output: findSchema("interface", "CookiesResponse"),
      examples: [
        "cookies 0b9c7a52-1c2d-4e3f-8a9b-0c1d2e3f4a5b",
        "cookies 0b9c7a52-1c2d-4e3f-8a9b-0c1d2e3f4a5b --format cookies.txt > cookies.txt",
        "cookies 0b9c7a52-1c2d-4e3f-8a9b-0c1d2e3f4a5b --format header --url https://example.com/account",
      ],
    },
    cookies,
  );
}

async function scrape(call: Call<ScrapeFlags>, id: string): Promise<void> {
  const { flags, terminal, signal, connect, print } = call;
  const { schema, instructions, selector, images, mainContent, links, ignoreTags } = flags;
  const format = schema === undefined ? undefined : schemaIn(schema);
  const { client } = connect();
  const page = {
    ...(selector !== undefined && { selector }),
    ...(mainContent && { only_main_content: true }),
    ...(links === false && { scrape_links: false }),
    ...(ignoreTags && { ignored_tags: [...ignoreTags] }),
  };
  const options = { signal };
  if (images) {
    const result = await client.scrape(id, { ...page, only_images: true }, options);
    return print(result, () => {
      const rows = (result.images ?? []).map(({ url, category, description }) => [
        category ?? "",
        url ?? "",
        description ?? "",
      ]);
      printTable(terminal, [{ header: "KIND" }, { header: "ADDRESS" }, { header: "DESCRIPTION" }], rows);
    });
  }
  if (format !== undefined || instructions !== undefined) {
    const request = {
      ...page,
      ...(format !== undefined && { response_format: format }),
      ...(instructions !== undefined && { instructions }),
    };
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- one of the two is there
    const result = await client.scrape(id, request as { readonly instructions: string }, options);
    const { structured } = result;
    if (structured.success) return print(result, () => terminal.print(jsonText(structured.data)));
    print(result, () => undefined);
    const { reason } = structured;
    const why =
      reason === "failed"
        ? (structured.error ?? "the service does not say why")
        : reason === "missing"
          ? "the service sent no data"
          : structured.issues.map(({ path, message }) => `${path?.map(String).join(".") ?? ""}: ${message}`).join("; ");
    throw new CliError("impossible", `no data: ${why}`);
  }
  const result = await client.scrape(id, page, options);
  const { stdout } = terminal;
  print(result, () => terminal.print(stdout.isTTY ? harmless(result.markdown) : result.markdown));
}

/** @throws {CliError} `usage` when the file can't be read, or has no JSON Schema. */
function schemaIn(file: string): object {
  let text: string;
  try {
    text = readFileSync(file === "-" ? 0 : file, "utf8");
  } catch (cause) {
    throw new CliError("usage", `--schema: ${file} can't be read (${readMessage(cause)})`, { cause });
  }
  try {
    const schema: unknown = JSON.parse(text.replace(/^\uFEFF/, ""));
    if (typeof schema === "object" && schema !== null && !Array.isArray(schema)) return schema;
  } catch {
    // said below
  }
  throw new CliError("usage", `--schema: ${file} is not a JSON Schema: it must be a JSON object`);
}

async function cookies(call: Call<CookiesFlags>, id: string): Promise<void> {
  const { flags, terminal, signal, connect, print } = call;
  const { format, url } = flags;
  if ((format === "header") !== (url !== undefined)) {
    throw new CliError("usage", "--format header and --url go together: a header is for one address");
  }
  const found = await connect().client.cookies(id, { signal });
  print(found, () => {
    if (format === "table") {
      const columns = ["NAME", "DOMAIN", "PATH", "EXPIRES", "FLAGS"].map((header) => ({ header }));
      const rows = found.cookies.map((cookie) => [
        formatValue(cookie.name),
        formatValue(cookie.domain),
        formatValue(cookie.path),
        formatExpiry(cookie.expirationDate),
        [cookie.secure && "secure", cookie.httpOnly && "httpOnly", cookie.sameSite].filter(Boolean).join(" "),
      ]);
      return printTable(terminal, columns, rows);
    }
    const { result, lost } = writeCookies(found, format, url ?? "");
    terminal.print(result);
    for (const each of lost) terminal.note(`cloud-browser: ${each}`);
  });
}

function formatValue(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function formatExpiry(seconds: unknown): string {
  if (typeof seconds !== "number" || !Number.isFinite(seconds)) return "with the session";
  const date = new Date(seconds * 1000);
  return Number.isNaN(date.getTime()) ? "never" : date.toISOString().slice(0, 16).replace("T", " ");
}

/** Returns cookies in a format, and what of them it can't have; names only. */
function writeCookies(
  found: CookieList<Cookie>,
  format: Exclude<CookiesFlags["format"], "table">,
  url: string,
): { readonly result: string; readonly lost: readonly string[] } {
  switch (format) {
    case "cookies.txt": {
      const { text: file, losses } = toCookiesTxt(found);
      return { result: file.trimEnd(), lost: losses.map(lossLine) };
    }
    case "header": {
      const { header, losses } = toCookieHeader(found, url);
      return { result: header, lost: losses.map(lossLine) };
    }
    case "playwright": {
      const { cookies: all, losses } = toPlaywrightCookies(found);
      return { result: jsonText(all), lost: losses.map(lossLine) };
    }
    case "puppeteer": {
      const { cookies: all, losses } = toPuppeteerCookies(found);
      return { result: jsonText(all), lost: losses.map(lossLine) };
    }
  }
}

function lossLine({ reason, field, name, domain }: CookieLoss): string {
  return printable(`${name ?? "a cookie"}${domain === undefined ? "" : ` of ${domain}`}: ${field} ${reason}`);
}
