/** Doors that are open sometimes to those who have no key, or another one. */
import { findSession, type ReceivedRequest, type Json } from "../messages.ts";
import { cookies, markdown, recording } from "../content.ts";
import { of, type Condition } from "../parts.ts";
import { endedSession, openSession, findToken } from "../service.ts";
import { answers, every, keyless, later, listRevised, version, when, type SometimesTarget } from "./circumstances.ts";

const bodies: Readonly<Record<"scrape" | "cookies" | "replay", Json>> = {
  scrape: { markdown },
  cookies: { cookies: [...cookies] },
  replay: recording,
};
const otherSession = { scrape: endedSession, cookies: endedSession, replay: openSession };
const hasAnotherKey = (request: ReceivedRequest): boolean => (findToken(request) ?? "").startsWith("cloud-browser");
const doors = ["scrape", "cookies", "replay"] as const;

/** Strangers that come in at a door, and when. */
const listOpenings = (word: keyof typeof bodies, who: string, comes: Condition): SometimesTarget[] => {
  const [requirement, letIn] = [`${word}.requires-authentication`, answers(200, bodies[word])];
  return listRevised(of(word, 403), [
    [`${word}-${who}-every-third-time`, requirement, letIn, comes, every(3)],
    [`${word}-${who}-with-a-version`, requirement, letIn, comes, version],
    [`${word}-${who}-on-a-known-connection`, requirement, letIn, comes, later],
  ]);
};

export const sometimesKeys: readonly SometimesTarget[] = [
  ...doors.flatMap((word) =>
    listRevised(of(word, 403), [
      [
        `${word}-without-a-key-of-another-session`,
        `${word}.requires-authentication`,
        answers(200, bodies[word]),
        keyless,
        when("for the other session", (request) => findSession(request) === otherSession[word]),
      ],
    ]),
  ),
  ...doors.flatMap((word) => listOpenings(word, "without-a-key", keyless)),
  ...doors.flatMap((word) => listOpenings(word, "with-another-key", hasAnotherKey)),
];
