/** Doors that are open sometimes to those who have no key, or another one. */
import { json, findSession, type Answer, type Asked, type Json } from "../asked.ts";
import { cookies, markdown, recording } from "../content.ts";
import { endedSession, openSession, findToken } from "../service.ts";
import {
  answers,
  every,
  header,
  keyless,
  later,
  revise,
  reviseAt,
  listTargets,
  type SometimesTarget,
} from "./circumstances.ts";
import { of } from "../parts.ts";

const given: Readonly<Record<"scrape" | "cookies" | "replay", Json>> = {
  scrape: { markdown },
  cookies: { cookies: [...cookies] },
  replay: recording,
};

const hasAnotherKey = (asked: Asked): boolean => (findToken(asked) ?? "").startsWith("cloud-browser");

/** Who comes in at a door, and when. */
function openings(
  word: keyof typeof given,
  who: string,
  comes: (asked: Asked, answer: Answer) => boolean,
): SometimesTarget[] {
  const refused = of(word, 403);
  const letIn = answers(json(200, given[word]));
  const requirement = `${word}.requires-authentication`;
  return listTargets([
    [`${word}-${who}-every-third-time`, "every third time", requirement, reviseAt(every(3), letIn, refused, comes)],
    [
      `${word}-${who}-with-a-version`,
      "for requests that tell the version of their SDK",
      requirement,
      revise(letIn, refused, comes, header("x-service-sdk-version")),
    ],
    [
      `${word}-${who}-on-a-known-connection`,
      "on the connection of one who had the key",
      requirement,
      revise(letIn, refused, comes, later),
    ],
  ]);
}

const doors = ["scrape", "cookies", "replay"] as const;

const otherSession = { scrape: endedSession, cookies: endedSession, replay: openSession };

export const sometimesKeys: readonly SometimesTarget[] = [
  ...doors.flatMap((word) =>
    listTargets([
      [
        `${word}-without-a-key-of-another-session`,
        "for a session that is open, or has ended, where the others are not",
        `${word}.requires-authentication`,
        revise(
          answers(json(200, given[word])),
          of(word, 403),
          keyless,
          (asked) => findSession(asked) === otherSession[word],
        ),
      ],
    ]),
  ),
  ...doors.flatMap((word) => openings(word, "without-a-key", keyless)),
  ...doors.flatMap((word) => openings(word, "with-another-key", hasAnotherKey)),
];
