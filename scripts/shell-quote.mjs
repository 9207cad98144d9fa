/** Returns a word as a POSIX shell has to read it: as it is when no character of it means anything to a shell, else in single quotes. */
export function quoteForShell(word) {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
