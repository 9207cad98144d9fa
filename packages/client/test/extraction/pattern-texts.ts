// oxlint-disable typescript/no-misused-spread -- of code points texts are made here
import { CheckBudget, runAtOnce } from "../../src/extraction/budget.ts";
import { compilePattern } from "../../src/extraction/linear-pattern.ts";

/** Each character that some part of the language treats in a way of its own, and some that it does not. */
const characters = [
  ...Array.from({ length: 0x250 }, (_, at) => String.fromCodePoint(at)),
  ..."\u0300\u0391\u03A9\u0430\u05D0\u0660\u0966\u1680\u180E\u2000\u2003\u200A\u200B\u200D\u2028\u2029\u202F\u203F\u205F\u2060\u212A\u3000\u3042\u4E00\uAC00\uFB01\uFEFF\uFFFD",
  ..."😀👍🏽𝒜𝟘\u{10000}\u{10FFFF}",
  "\uD800",
  "\uDC00",
  "\uD83D",
];
/** Texts of each of these characters, alone and beside others. */
const texts = [
  ...characters,
  ...characters.slice(0, 0x80).flatMap((each) => [`a${each}`, `${each}a`, `a${each}b`, `${each}${each}`]),
  ..."|aa|ab|ba|aab|abab|foo bar|a-c|2024-02-29|x@y.z|line\nline|\r\n|a😀b|😀😀|e\u0301|#1|[]|(?:)|^$|{2}|\\d".split(
    "|",
  ),
];
export const patterns: string[] = [
  ..."\\d|\\D|\\w|\\W|\\s|\\S|.|^.$|^..$|^$|^a|a$|\\ba|\\Ba|a\\b|^\\s*$|^\\S+$|^[\\s\\d]$|^[^\\s]$|^[^\\S]$|^[\\w-]+$|^[^\\w]$".split(
    "|",
  ),
  ..."[] [^] ^[^]$ ^[^]{2}$ [a-c] [^a-c] [-a] [a-] [a-c-e] [\\b] [(?:)] [(?=)] [.] [$^] [[] [|] [{}] [&&] [a\\-c]".split(
    " ",
  ),
  ..."^a{2}$ ^a{1,}$ ^(?:ab){1,2}$ ^(?<n>a)b?$ ^(a(b))? a|b a*?b a+? a??b (a|ab)(c|bcd)?$".split(" "),
  "^(a|b)*$",
  "a|b|",
  "^\\u0061$",
  "^\\u{1F600}$",
  "^\\uD83D\\uDE00$",
  "^[\\uD83D\\uDE00]$",
  "^[\\u{1F600}-\\u{1F64F}]+$",
  "^\\uD83D$",
  "\\uD83D",
  "^😀$",
  "[😀]",
  "[^😀]",
  "\\x41|\\cJ|\\t|\\n|\\v|\\f|\\r|\\0",
  "[\\x41-\\x43\\cM\\0]",
  "\\/|\\.|\\*|\\+|\\?|\\(|\\)|\\[|\\]|\\{|\\}|\\||\\^|\\$|\\\\",
  "^[\\]\\\\/]$",
  "\\p{L}",
  "^\\P{L}$",
  "[^\\p{L}\\d]",
  "\\p{Lu}",
  "\\p{General_Category=Decimal_Number}",
  "\\p{Script=Greek}",
  "\\p{scx=Cyrl}",
  "\\p{Emoji_Presentation}",
  "\\p{White_Space}",
  "\\p{Cs}",
  "\\p{Any}",
  "\\P{Any}",
  "[\\P{Any}]",
  "[^\\P{Any}a]",
  "\\p{ASCII}",
  "^\\d{4}-\\d{2}-\\d{2}$",
  "^[^@\\s]+@[^@\\s]+\\.[a-z]+$",
];
/**
 * Returns the texts that a pattern matches otherwise than the language does with the flag u.
 *
 * @param every - Only each so many-th text is tried. Default: all are.
 */
export function listDifferingTexts(pattern: string, every = 1): string[] {
  const own = new RegExp(pattern, "u");
  const matches = compilePattern(pattern);
  const tried = texts.filter((_, at) => at % every === 0);
  return tried.filter((text) => own.test(text) !== runAtOnce(matches(text, new CheckBudget())));
}
