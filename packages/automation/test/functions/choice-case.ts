/** Something on a page that a task names, and which part of its name another task may say otherwise. */
export type ChoiceCase = readonly [
  what: string,
  html: string,
  task: string,
  value: string | undefined,
  /** Another value that is there, too; empty when there is none. */
  other: string,
];

/** Days of a week. */
export const week = [11, 12, 13, 14, 15, 16, 17];

/** Days of a month. */
export const month = Array.from({ length: 30 }, (_, index) => index + 1);

/** Elements, one after the other. */
export function each(days: readonly number[], html: (day: number) => string): string {
  return days.map(html).join("");
}
