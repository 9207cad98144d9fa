/**
 * Redacts what follows words such as "password" or "token", up to the end if a quotation is not closed: for texts whose secrets
 * are not known.
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
