/** Pattern of texts that a POSIX shell takes literally without quotes. */
const plainWord = /^[\w@%+=:,./-]+$/;

/** Pattern of characters that are invisible, or change how others are displayed; a lone surrogate is sent as U+FFFD. */
const unseen = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}]/u;

/** Short escapes of bytes between `$'` and `'`. */
const shortEscapes: Readonly<Record<string, string>> = {
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
  "\\": "\\\\",
  "'": "\\'",
  "!": "\\041",
};

/**
 * Quotes bytes as one word of a bash, zsh or ksh command line: the shell passes exactly these bytes to the program.
 *
 * Visible characters stay readable. The word itself has only characters that can be seen, so it may be copied from any page, log or
 * terminal. A NUL has no place in a word of any shell: it ends the word.
 *
 * The packages for this (shell-quote, shescape) drop or keep control characters; here each has to arrive, and none may reach the terminal.
 *
 * @param value - Text, which stands for its UTF-8, or bytes as `latin1`, as headers carry them.
 */
export function shellQuote(value: string, encoding: "utf8" | "latin1" = "utf8"): string {
  if (plainWord.test(value)) return value;
  const isOpaque = (character: string): boolean => unseen.test(character) || (encoding === "latin1" && character > "~");
  const characters = Array.from(value);
  if (!characters.some(isOpaque)) return `'${value.replaceAll("'", String.raw`'\''`)}'`;
  const pieces = characters.map(
    (character) => shortEscapes[character] ?? (isOpaque(character) ? octal(character, encoding) : character),
  );
  return `$'${pieces.join("")}'`;
}

/** Returns a text as a format of `printf`, which can write any byte, NUL as well. */
export function printfFormat(text: string): string {
  const word = Array.from(text, (character) => {
    if (character === "%") return "%%";
    if (character === "\\") return "\\\\";
    return unseen.test(character) ? octal(character, "utf8") : character;
  });
  return `'${word.join("").replaceAll("'", String.raw`'\''`)}'`;
}

/** Escapes a character in octal, always with three digits, so that a following digit is not part of it. */
function octal(character: string, encoding: "utf8" | "latin1"): string {
  return [...Buffer.from(character, encoding)].map((byte) => `\\${byte.toString(8).padStart(3, "0")}`).join("");
}
