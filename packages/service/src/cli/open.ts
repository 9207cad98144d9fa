import { InvalidArgumentError, type Command } from "commander";
import type { SessionView } from "../control/session-view.ts";
import { type GivenProfile, givenProfile } from "./profiles/profile-flags.ts";
import control from "../control/control.openapi.json" with { type: "json" };
import { seconds } from "./option-parsers.ts";
import { addReachFlags, askService, type ReachFlags } from "./reach.ts";

interface OpenFlags extends ReachFlags {
  readonly viewport?: { readonly width: number; readonly height: number };
  readonly locale?: string;
  readonly profile?: GivenProfile;
  readonly idleLimit?: number;
  readonly totalLimit?: number;
  readonly waitS?: number;
  readonly json?: true;
}

const { idle_limit_s, total_limit_s, wait_s } = control.components.schemas.CreateSession.properties;

/** Adds the command that opens a session. */
export function register(program: Command): void {
  const command = program
    .command("open")
    .description("open a session on a page, and print its session_id")
    .argument(
      "[url]",
      "URL; without a scheme https is used, and http for localhost and IP addresses",
      address,
      "about:blank",
    )
    .option("--viewport <size>", "size of its pages, such as 1280x720", viewport)
    .option("--locale <tag>", "language of its pages, such as en-GB")
    .option(
      "--profile <name>",
      "profile that it begins with and writes back at its end; NAME:read writes nothing back",
      givenProfile,
    )
    .option(
      "--idle-limit <seconds>",
      "seconds without activity until it ends (default: that of the service)",
      seconds({ min: 1, max: idle_limit_s.maximum * 1000 }),
    )
    .option(
      "--total-limit <seconds>",
      "seconds until it ends in any case (default: that of the service)",
      seconds({ min: 1, max: total_limit_s.maximum * 1000 }),
    )
    .option(
      "--wait-s <seconds>",
      "seconds to wait for a session when the service is full (default: 0)",
      seconds({ min: 0, max: wait_s.maximum * 1000 }),
    )
    .option("--json", "print the session as JSON, with the CDP URL (a secret) for Playwright or Puppeteer");
  addReachFlags(command).action(open);
}

async function open(url: string, flags: OpenFlags): Promise<void> {
  const { viewport: size, locale, profile, idleLimit, totalLimit, waitS, json } = flags;
  const body = {
    url,
    ...(size === undefined ? {} : { viewport: size }),
    ...(locale === undefined ? {} : { locale }),
    ...(profile === undefined ? {} : { profile }),
    ...(idleLimit === undefined ? {} : { idle_limit_s: idleLimit }),
    ...(totalLimit === undefined ? {} : { total_limit_s: totalLimit }),
    ...(waitS === undefined ? {} : { wait_s: waitS }),
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as `control.openapi.json` says
  const session = (await askService(flags, "POST", "/control/sessions", body)) as SessionView;
  console.log(json ? JSON.stringify(session, undefined, 2) : session.session_id);
}

/** A host as people type it, with a port and what else follows: its name has a point, or is that of this machine. */
const bareHost = /^(?:(localhost|\d+(?:\.\d+){3}|\[[\da-f:.]+\])|[^\s/:?#]+\.[^\s/:?#]+)(?::\d+)?(?:[/?#]|$)/i;

function address(text: string): string {
  const [whole, numberOrLocal] = bareHost.exec(text) ?? [];
  if (whole === undefined) return text;
  return `${numberOrLocal === undefined ? "https" : "http"}://${text}`;
}

function viewport(text: string): OpenFlags["viewport"] {
  const [, width, height] = /^(\d+)x(\d+)$/.exec(text) ?? [];
  if (width === undefined || height === undefined)
    throw new InvalidArgumentError("Give width and height, such as 1280x720.");
  return { width: Number(width), height: Number(height) };
}
