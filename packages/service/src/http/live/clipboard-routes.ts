import type { Context, Hono } from "hono";
import { compileValidator } from "../../control/control-schemas.ts";
import { toFaults } from "../../control/validation-faults.ts";
import { ServiceError } from "../../service-error.ts";
import type { TokenScope } from "../../sessions/made-tokens.ts";
import type { Session } from "../../sessions/session.ts";
import type { Sessions } from "../../sessions/sessions.ts";
import { requireJson } from "../json-body.ts";
import { answerInvalid, answerProblem } from "../problems.ts";
import type { SessionAccess } from "./session-access.ts";

/** Parts that the routes of clipboards need. */
export interface ClipboardRouteParts {
  /** The sessions. */
  readonly sessions: Sessions;
  /** Tells who may use a session. */
  readonly accessOf: SessionAccess;
}

/** Body of a request that sets the clipboard. */
interface SetClipboard {
  readonly text: string;
  readonly paste?: boolean;
}

/** Scopes of tokens that use the clipboard: those that act on pages. */
const scopes: readonly TokenScope[] = ["steer", "drive"];

/** Paths that check credentials themselves. */
export const clipboardPaths = /^\/control\/sessions\/[^/]+\/clipboard\/?$/;

const noCredential =
  "the token or the API key is missing or invalid: use a token of the scope steer or drive, or the API key that created the session";

const validate = compileValidator<SetClipboard>("SetClipboard");
const path = "/control/sessions/:session_id/clipboard";

/** How the clipboard of a session is read and set, by whoever may act on its pages. */
export function addClipboardRoutes(app: Hono, { sessions, accessOf }: ClipboardRouteParts): void {
  const findSession = async (c: Context, id: string): Promise<Session | Response> => {
    const access = await accessOf(id, c.req.query("token"), c.req.raw, scopes);
    return access ? sessions.get(id, access.key) : answerProblem(401, noCredential);
  };
  app.get(path, async (c) => {
    const session = await findSession(c, c.req.param("session_id"));
    if (session instanceof Response) return session;
    const copies = c.req.query("copy") ?? "true";
    if (copies !== "true" && copies !== "false") {
      return answerInvalid([{ loc: ["query", "copy"], msg: "Input should be 'true' or 'false'", type: "enum" }]);
    }
    session.touch();
    const { current: page } = session.activePage;
    if (copies === "true" && page) await session.clipboard.copy(page);
    return answer(c, session);
  });
  app.put(path, async (c) => {
    const session = await findSession(c, c.req.param("session_id"));
    if (session instanceof Response) return session;
    const json = await requireJson(c.req.raw);
    if (json instanceof Response) return json;
    const { value } = json;
    // What is wrong is not repeated: it is as secret as what is right.
    if (!validate(value)) return answerInvalid(toFaults(validate.errors ?? []).map(({ input: _, ...fault }) => fault));
    session.clipboard.set(value.text);
    session.noteAction();
    if (value.paste === true) await paste(session);
    return answer(c, session);
  });
}

async function paste(session: Session): Promise<void> {
  const { current: page } = session.activePage;
  if (!page) throw new ServiceError("page-failed", "the session has no page to paste into; open one");
  await session.clipboard.paste(page);
}

function answer(c: Context, { clipboard }: Session): Response {
  return c.json({ text: clipboard.text }, 200, { "cache-control": "no-store" });
}
