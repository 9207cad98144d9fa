/**
 * Why something could not be written, in words that can follow a colon: what the system said, without the path.
 *
 * Source: ours.
 */
export function storageTrouble(cause: unknown): string {
  const { code, message } = cause instanceof Error ? { code: undefined, ...cause, message: cause.message } : noError;
  if (code === "ENOSPC" || code === "EDQUOT") return "the disk is full";
  // "EACCES: permission denied, open '/path'"
  const said = message.replace(/, \w+( '.*)?$/s, "").replace(/\.$/, "");
  return said === "" ? "the system does not say why" : said;
}

const noError = { code: undefined, message: "" };
