import { escapePattern } from "../../quote.ts";
import { toPlural, toSingular } from "../../task/plurals.ts";
import type { PageField, PageNoun } from "./page-ask.ts";

interface Property {
  /** Its names in labels, in the singular. */
  readonly words: readonly string[];
  readonly marks: readonly string[];
  readonly kind?: PageField["kind"];
}

const nameMarks = ["name", "title", "headline", "heading"];
/** Properties that pages mark by classes, microdata or form. */
const properties: readonly Property[] = [
  ...["name", "title", "headline", "heading"].map((word): Property => ({
    words: [word],
    marks: nameMarks,
    kind: "name",
  })),
  ...["price", "cost"].map((word): Property => ({ words: [word], marks: ["price", "cost", "amount"], kind: "price" })),
  ...["author", "writer", "poster"].map((word): Property => ({
    words: [word],
    marks: ["author", "byline", "writer", "creator", "username", "user", "poster"],
    kind: "author",
  })),
  ...["date", "publication date"].map((word): Property => ({
    words: [word],
    marks: ["date", "datepublished", "published", "posted", "timestamp", "time", "datetime", "startdate", "uploaddate"],
    kind: "date",
  })),
  ...["rating", "star rating"].map((word): Property => ({
    words: [word],
    marks: ["rating", "stars", "ratingvalue", "reviewrating"],
    kind: "rating",
  })),
  ...["description", "summary", "excerpt", "snippet", "teaser"].map((word): Property => ({
    words: [word],
    marks: ["description", "summary", "excerpt", "snippet", "teaser", "desc"],
    kind: "text",
  })),
  ...["text", "content", "body", "message"].map((word): Property => ({
    words: [word],
    marks: ["text", "content", "body", "message", "reviewbody", "articlebody"],
    kind: "text",
  })),
  { words: ["link", "url"], marks: ["link", "url"], kind: "link" },
  ...["image", "picture", "photo", "thumbnail"].map((word): Property => ({
    words: [word],
    marks: ["image", "img", "picture", "photo", "thumbnail", "thumb"],
    kind: "image",
  })),
  {
    words: ["email", "e-mail", "email address", "e-mail address", "mail", "mail address"],
    marks: ["email", "mail"],
    kind: "email",
  },
  {
    words: ["phone number", "phone", "telephone", "telephone number", "tel", "phone no"],
    marks: ["phone", "telephone", "tel"],
    kind: "phone",
  },
  { words: ["term"], marks: ["term"], kind: "term" },
  ...["definition", "meaning"].map((word): Property => ({
    words: [word],
    marks: ["definition", "meaning"],
    kind: "definition",
  })),
  {
    words: ["company", "employer"],
    marks: ["company", "employer", "hiringorganization", "organization", "organisation"],
  },
  { words: ["salary"], marks: ["salary", "basesalary", "pay", "wage", "compensation"] },
  { words: ["location"], marks: ["location", "place", "joblocation"] },
];

/** Kinds of things: synonyms in the singular. */
const kinds = (
  "product, article|story|post|news item, review|customer review, comment, job|vacancy|opening|position, " +
  "person|member|employee, user, event, recipe, ingredient, step|instruction, book, film|movie, song|track, " +
  "album, video, repository|repo, question|faq, answer, restaurant, hotel, room, flight, train, country, " +
  "city, team|club, player, match|game|fixture, file, order, invoice, category, tag, brand, reference|source, " +
  "thread|topic, reply|answer, course, lesson, apartment|flat, house, car, dish|meal"
)
  .split(", ")
  .map((words) => words.split("|"));

/** Words for things of any kind. */
const general = /^(?:item|entry|row|record|line|result|search result|thing|product|element|card|object|listing|offer)$/;

/** Returns whether a word stands for things of any kind. */
export function isGeneralNoun(word: string): boolean {
  return general.test(word);
}

/** Returns whether a word fits any list, whatever the page calls its items. */
export function isAnything(word: string): boolean {
  return /^(?:item|entry|row|record|line|result|thing|element|card|object)$/.test(word);
}

/** Returns whether a word names a property of `properties`. */
export function isProperty(word: string): boolean {
  return properties.some(({ words }) => words.includes(word));
}

/** Returns the forms and synonyms of a noun, given in the singular. */
export function describeNoun(word: string): PageNoun {
  const one = word.toLowerCase();
  const same = kinds.find((words) => words.includes(one)) ?? [one];
  return { one, several: toPlural(one), forms: [...new Set([one, ...same])].flatMap((form) => [form, toPlural(form)]) };
}

/**
 * Returns the patterns and marks of a property, given in the singular.
 *
 * @param of - The thing that has it, where one phrase names both: "product name".
 */
export function describeField(word: string, key: string, of?: string): PageField {
  const lower = word.toLowerCase();
  const one = isProperty(lower) ? lower : (toSingular(lower) ?? lower);
  const property = properties.find(({ words }) => words.includes(one));
  const words = property?.words ?? [one];
  const labels = of === undefined ? words : [...words, ...words.map((each) => `${of} ${each}`)];
  const label = labels.flatMap((each) => [each, toPlural(each)]).map(writeLabelPattern);
  return {
    one: of === undefined ? one : `${of} ${one}`,
    several: toPlural(of === undefined ? one : `${of} ${one}`),
    key,
    forms: words.flatMap((each) => [each, toPlural(each)]),
    label: String.raw`^(?:${[...new Set(label)].join("|")})(?:\s*[(\[][^)\]]{1,15}[)\]])?[\s:：*▲▼▴▾↑↓⇅↕]*$`,
    marks: property?.marks ?? [one.replaceAll(/[\s-]+/g, "")],
    kind: property?.kind,
  };
}

function writeLabelPattern(text: string): string {
  return escapePattern(text).replaceAll(/[\s-]+/g, String.raw`[\s-]+`);
}

/** Returns the source of a pattern for names of things of other kinds. */
export function writeOthersPattern({ forms }: PageNoun): string {
  const other = kinds.flat().filter((word) => !forms.includes(word));
  return other.flatMap((word) => [word, toPlural(word)]).join("|");
}

/** Returns the selector of elements that a word names, such as "heading"; undefined if it names none. */
export function findElementSelector(word: string): string | undefined {
  return selectors[toPlural(word)];
}

const headings = "h1, h2, h3, h4, h5, h6, [role=heading]";
const selectors: Readonly<Record<string, string | undefined>> = {
  headings,
  headlines: headings,
  "section titles": headings,
  subheadings: headings,
  buttons: "button:not([role]), [role=button], input[type=button], input[type=submit], input[type=reset]",
  paragraphs: "p, [role=paragraph]",
  quotes: "blockquote",
  quotations: "blockquote",
  blockquotes: "blockquote",
  "code blocks": "pre",
  labels: "label, legend",
  tabs: "[role=tab]",
  "menu items": "[role=menuitem]",
  alerts: "[role=alert]",
  captions: "caption, figcaption",
  links: "a[href]",
  images: "img, [role=img]",
  pictures: "img, [role=img]",
  tables: "table, [role=table], [role=grid]",
  lists: "ul, ol, dl, [role=list]",
  forms: "form",
  checkboxes: "input[type=checkbox], [role=checkbox]",
  videos: "video",
};
