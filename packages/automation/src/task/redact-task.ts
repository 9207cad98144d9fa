/**
 * Leaves out what follows on the words that name secrets, up to the end when its quotation has none: for where the value itself is not
 * known, and so can't be looked for.
 */
export function withoutSecrets(task: string): string {
  const words = "password|passphrase|passcode|pass|pin|secret|token|key|code";
  return task.replaceAll(
    new RegExp(
      String.raw`\b(${words})\b((?:\s+(?:field|box|input))?(?:\s*(?:is|=|:|of|as|with|to))?\s*)(?:"[^"]*(?:"|$)|“[^”]*(?:”|$)|'[^']*(?:'|$)|\S+)`,
      "giu",
    ),
    "$1$2•••",
  );
}
