/**
 * Redacts the words after "password", "token" and the like, up to the end of the text if a quotation is not closed. For texts whose
 * secrets are unknown.
 */
export function redactTask(task: string): string {
  const words = "password|passphrase|passcode|pass|pin|secret|token|key|code";
  return task.replaceAll(
    new RegExp(
      String.raw`\b(${words})\b((?:\s+(?:field|box|input))?(?:\s*(?:is|=|:|of|as|with|to))?\s*)(?:"[^"]*(?:"|$)|“[^”]*(?:”|$)|'[^']*(?:'|$)|\S+)`,
      "giu",
    ),
    "$1$2•••",
  );
}
