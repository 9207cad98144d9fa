/** One member of a JSON object: its name and its value. */
export type Member = readonly [name: string, value: unknown];

/**
 * Writes a JSON object as text, member by member in the given order.
 *
 * Written by hand because an object of JavaScript can't hold what is sent here: a member `__proto__`, the same name twice, a name of digits
 * that keeps its place.
 */
export function objectText(members: readonly Member[]): string {
  return `{${members.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join(",")}}`;
}
