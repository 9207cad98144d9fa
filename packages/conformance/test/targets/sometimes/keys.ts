/** Doors that are open sometimes to those who have no key, or another one. */
import { instead } from "../changes.ts";
import { every, later, version, when } from "../circumstances.ts";
import { hasAnotherKey, isKeyless } from "../conditions.ts";
import { cookies, markdown, recording } from "../content.ts";
import { breakAnswers, type Fault } from "../fault.ts";
import { findSession, json, type Json } from "../messages.ts";
import { endedSession, openSession } from "../service.ts";

interface Door {
  readonly door: "scrape" | "cookies" | "replay";
  readonly value: Json;
  readonly other: string;
}

const doors: readonly Door[] = [
  { door: "scrape", value: { markdown }, other: endedSession },
  { door: "cookies", value: { cookies: [...cookies] }, other: endedSession },
  { door: "replay", value: recording, other: openSession },
];
const strangers = { "without-a-key": isKeyless, "with-another-key": hasAnotherKey };

export const sometimesKeys: readonly Fault[] = doors.flatMap(({ door, value, other }) => {
  const letIn = instead(json(200, value));
  const ofOther = when("for the other session", (request) => findSession(request) === other);
  return breakAnswers(`${door}-stranger`, {
    [`${door}.requires-authentication`]: {
      [`${door}-without-a-key-of-another-session`]: [letIn, isKeyless, ofOther],
      ...Object.fromEntries(
        Object.entries(strangers).flatMap(([who, comes]) => [
          [`${door}-${who}-every-third-time`, [letIn, comes, every(3)]] as const,
          [`${door}-${who}-with-a-version`, [letIn, comes, version]] as const,
          [`${door}-${who}-on-a-known-connection`, [letIn, comes, later]] as const,
        ]),
      ),
    },
  });
});
