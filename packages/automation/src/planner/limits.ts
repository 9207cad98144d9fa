import { quotationPlaceholder, Quotations } from "./quotations.ts";

/** Numbers in words. */
const numbers: readonly string[] = "one two three four five six seven eight nine ten".split(" ");

/** A number of times: "3 times", "twice", "5x". */
const times = new RegExp(
  String.raw`(?<once>\bonce)|(?<twice>\btwice)|(?<thrice>\bthrice)|(?:\b(?<digits>\d+)|\b(?<word>${numbers.join("|")}))\s?(?:times|x)$`,
  "iu",
);

/** Words that make a clause conditional, or exclude something. */
const conditions =
  /\b(?:if|unless|whether|when|whenever|until|till|but|except|excluding|instead|otherwise|leav(?:e|ing)|keep(?:ing)?|skip(?:ping)?|repeat(?:edly)?|do not|don['’]t|provided that|at (?:most|least)|in case|as (?:long|soon|often) as|(?:without|before|after|while) \w+ing|once (?:it|the|that|\w+ed)|several times|many times|each time|every time|(?:for|in|on|of) (?:each|every))\b|\b(?:\d+|two|three|four|five|six|seven|eight|nine|ten) ?times\b|\b(?:once|twice|thrice|again)$/giu;

/** Words that may begin a name: there, they can't be a condition. */
const namesBegin = /^(?:leav(?:e|ing)|keep(?:ing)?|skip(?:ping)?|repeat(?:edly)?|do not|don['’]t|but)\b/iu;

/** A comma that does not stand between digits. */
const comma = /,(?!\d)|(?<!\d),/u;

/** Phrases that forbid something. */
const prohibition = /(?:,|\sand|\sbut)\s(?:(?:then|also|please)\s)*(?:do\snot|don['’]t|not|never)\b/iu;

const isQuotation = new RegExp(`^${quotationPlaceholder}$`, "u");
const hasQuotation = new RegExp(quotationPlaceholder, "u");

/** Masks the quotations of a text, and collapses its white space. */
export function maskText(text: string): string {
  return new Quotations().maskQuotations(text).trim();
}

/**
 * Returns whether a text names one thing and says nothing else: a quotation, or words without a comma and without a condition. A word that
 * is the whole name is no condition ("click Skip"), nor is one that begins it ("click Keep me signed in").
 */
export function isOneName(text = ""): boolean {
  const name = maskText(text);
  if (isQuotation.test(name)) return true;
  if (name === "" || hasQuotation.test(name) || comma.test(name) || prohibition.test(name)) return false;
  return isUnconditional(name.replace(namesBegin, "x"), name);
}

/** Returns whether an unquoted value ends where the text does: it holds no comma but between digits, and no condition. */
export function isPlainValue(value: string): boolean {
  return !comma.test(value) && isUnconditional(value, value);
}

function isUnconditional(text: string, whole: string): boolean {
  return [...text.matchAll(conditions)].every(([word]) => word === whole);
}

/** A clause with a number of times: "click Next 3 times". */
export interface RepeatedClause {
  /** The clause without the number. */
  readonly once: string;
  /** The number of times. */
  readonly times: number;
}

/** Reads the number of times at the end of a clause, outside of quotations; undefined if it has none. */
export function readRepetition(clause: string): RepeatedClause | undefined {
  const match = times.exec(clause);
  if (!match || match.index + match[0].length !== clause.length) return undefined;
  const { once, twice, thrice, digits, word = "" } = match.groups ?? {};
  const wordCount = numbers.indexOf(word.toLowerCase()) + 1;
  const count = once ? 1 : twice ? 2 : thrice ? 3 : digits === undefined ? wordCount : Number(digits);
  return { once: clause.slice(0, match.index).trim(), times: count };
}
