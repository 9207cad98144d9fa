/** Faults as rows of data: a sentence that is broken, what a server does, and how. */
import type { Change } from "./changes.ts";
import type { Circumstance } from "./circumstances.ts";
import type { Condition } from "./conditions.ts";
import type { Subject } from "./messages.ts";
import type { Setting } from "./run-suite.ts";
import type { Parts } from "./service.ts";

/** A server that breaks one sentence of the interface. */
export interface Fault extends Setting {
  /** Behaviour of the server, in kebab-case. */
  readonly id: string;
  /** The one requirement that it breaks; the sentence is there. */
  readonly requirement: string;
  /** Requirements that say the same of a part of the answers: a finding may name one of them instead. Default: none. */
  readonly also?: RegExp;
  /** Service that answers, but for the change; made anew for each run where it counts. Default: the correct one. */
  readonly parts?: Parts | (() => Parts);
  /** The answers that it changes. Default: none. */
  readonly subject?: Subject;
  /** Those of them that it changes, or in which the sentence can be broken. Default: all. */
  readonly fits?: Condition;
  /** Makes an answer that breaks the sentence. */
  readonly change?: Change;
  /** Circumstances in which it does so. Default: always. */
  readonly circumstances?: readonly Circumstance[];
  /** The same in words. Default: the words of the circumstances. */
  readonly when?: string;
  /** Reason why it is not found. Default: it is. */
  readonly why?: string;
}

/** A fault of the answers to one subject. */
export interface AnswerFault extends Fault {
  readonly parts?: Parts;
  readonly subject: Subject;
  readonly change: Change;
}

/** A change, alone or with the conditions and circumstances in which an answer is changed. */
export type Way = Change | readonly [change: Change, ...when: readonly (Condition | Circumstance)[]];

/**
 * Rows by the requirement, or other subject, and by what a server does. The two are names within each other, or one name with a space
 * between: `"requirement": { "behaviour": row }` or `"requirement behaviour": row`.
 */
export type Table<Row> = Readonly<Record<string, Row | Readonly<Record<string, Row>>>>;

const isCircumstance = (one: Condition | Circumstance): one is Circumstance => typeof one !== "function";
const isCondition = (one: Condition | Circumstance): one is Condition => typeof one === "function";

/** Writes the name of a field as a part of an id. */
export const dash = (name: string): string => name.replaceAll("_", "-");

/** Lists what tables hold. */
export const listRows = <Row, Listed>(
  tables: Table<Row> | readonly Table<Row>[],
  list: (requirement: string, id: string, row: Row) => Listed,
): Listed[] =>
  [tables]
    .flat()
    .flatMap((table) => Object.entries(table))
    .flatMap(([key, value]) => {
      const [requirement = "", ...id] = key.split(" ");
      if (isRow(key, value)) return [list(requirement, id.join(" "), value)];
      return Object.entries(value).map(([name, row]) => list(key, name, row));
    });

const isRow = <Row>(key: string, _: Row | Readonly<Record<string, Row>>): _ is Row => key.includes(" ");

/**
 * Lists faults of the answers to one subject, from one table or several.
 *
 * @param more - What holds for all of them beside that. Conditions of a row hold, too.
 */
export const breakAnswers = (
  subject: Subject,
  tables: Table<Way> | readonly Table<Way>[],
  more: Partial<AnswerFault> = {},
): AnswerFault[] =>
  listRows(tables, (requirement, id, way) => {
    const [change, ...when] = typeof way === "function" ? [way] : way;
    const conditions = [...(more.fits ? [more.fits] : []), ...when.filter(isCondition)];
    const circumstances = when.filter(isCircumstance);
    return {
      ...more,
      id,
      requirement,
      subject,
      change,
      ...(conditions.length > 0
        ? { fits: (request, answer) => conditions.every((holds) => holds(request, answer)) }
        : {}),
      ...(circumstances.length > 0 ? { circumstances } : {}),
    };
  });

/** Lists faults of a service whose parts do something otherwise. */
export const breakService = (
  tables: Table<NonNullable<Fault["parts"]>> | readonly Table<NonNullable<Fault["parts"]>>[],
  more: Partial<Fault> = {},
): Fault[] => listRows(tables, (requirement, id, parts) => ({ ...more, id, requirement, parts }));

/** The circumstances of a fault in words; undefined when it always shows. */
export const describeWhen = ({ when, circumstances = [] }: Fault): string | undefined =>
  when ?? (circumstances.map((one) => one.when).join(" and ") || undefined);
