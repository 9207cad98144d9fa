import { factsSchema, sessionId } from "./schemas.ts";
import type { Tool } from "./tool.ts";

/** Returns the tool that reads cookies; the values only where they are allowed. */
export function createCookiesTool(hasValues: boolean): Tool {
  return {
    name: "read_cookies",
    title: "Read the cookies of a session",
    description: `List a session's cookies${hasValues ? "" : ", without values"}.`,
    inputSchema: {
      type: "object",
      properties: {
        session_id: sessionId,
        domain: { type: "string", description: "of this site only", maxLength: 253 },
        ...(hasValues && { values: { type: "boolean", description: "with their values: secrets" } as const }),
      },
      required: ["session_id"],
      additionalProperties: false,
    },
    outputSchema: factsSchema({ session_id: "string", count: "integer" }),
    hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    needsControl: false,
    async run({ client, settings }, args, { signal }) {
      const id = args.requiredText("session_id");
      const { cookies } = await client.cookies(id, { signal });
      const domain = args.text("domain")?.toLowerCase().replace(/^\./u, "");
      const matches = cookies.filter((cookie) => {
        const own = (cookie.domain ?? "").toLowerCase().replace(/^\./u, "");
        return domain === undefined || own === domain || own.endsWith(`.${domain}`) || domain.endsWith(`.${own}`);
      });
      const lines = matches.map((cookie) => {
        const { name, value, domain: of, path, httpOnly, secure, session } = cookie;
        const marks = [httpOnly === true && "HttpOnly", secure === true && "Secure", session === true && "session"];
        const shown = args.flag("values") && hasValues ? `=${JSON.stringify(value ?? "")}` : "";
        return `${name ?? "(no name)"}${shown} | ${of ?? ""}${path ?? ""} | ${marks.filter(Boolean).join(" ")}`;
      });
      const text = lines.join("\n");
      const cut = text.length > settings.maxPageChars;
      return {
        facts: {
          session_id: id,
          count: matches.length,
          ...(cut && { next: "not all are shown: name a domain" }),
          ...(!hasValues && { values: "not shown; whoever runs these tools may allow cookie-values" }),
        },
        // Sites choose these names.
        ...(matches.length > 0 && { pageText: text.slice(0, settings.maxPageChars) }),
      };
    },
  };
}
