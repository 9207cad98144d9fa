import { judgeRefused, judgeRejected } from "../answers.ts";
import type { Check, Probe } from "../check.ts";
import type { Credentials, Operation, RequestPlan } from "../request-plan.ts";
import type { Target } from "../target.ts";

/** One operation, and the request that would succeed with valid credentials. */
interface Door {
  readonly word: string;
  readonly operation: Operation;
  readonly requirement: string;
  readonly request: (target: Target) => Omit<RequestPlan, "credentials">;
}

const session = (id: string, rest: string): string => `/sessions/${encodeURIComponent(id)}/${rest}`;

const doors: readonly Door[] = [
  {
    word: "scrape",
    operation: "page_scrape",
    requirement: "scrape.requires-authentication",
    request: ({ sessionId }) => ({ method: "POST", path: session(sessionId, "page/scrape"), body: "{}" }),
  },
  {
    word: "cookies",
    operation: "session_cookies",
    requirement: "cookies.requires-authentication",
    request: ({ sessionId }) => ({ method: "GET", path: session(sessionId, "cookies") }),
  },
  {
    word: "replay",
    operation: "session_replay",
    requirement: "replay.requires-authentication",
    request: ({ endedSessionId }) => ({ method: "GET", path: session(endedSessionId, "replay") }),
  },
];

const automationDoor: Door = {
  word: "automation",
  operation: "automation_start",
  requirement: "automation.requires-authorization",
  request: ({ query }) => ({ method: "POST", path: "/api/automation/start", body: JSON.stringify({ query }) }),
};

function probe(door: Door, credentials: Exclude<Credentials, "key">): Probe {
  return {
    id: `${door.word}/${credentials === "none" ? "without-key" : "with-wrong-key"}`,
    operation: door.operation,
    needs: credentials === "none" ? [] : ["judges-keys"],
    startsRun: false,
    request: (target) => ({ ...door.request(target), credentials }),
  };
}

/** Requests with no key, and with a key that is not valid. Source: ours. */
export const authenticationProbes: readonly Probe[] = [...doors, automationDoor].flatMap((door) => [
  probe(door, "none"),
  probe(door, "wrong"),
]);

const base = { level: "stated", needs: [] } as const;

/** The interface names no status for these: only success would be wrong. */
const sessionChecks = doors.flatMap((door): Check[] => [
  {
    ...base,
    id: `${door.word}/refuses-missing-key`,
    title: "A request without credentials does not succeed.",
    requirements: [door.requirement],
    operation: door.operation,
    probes: [`${door.word}/without-key`],
    judge: (exchange) => judgeRefused(exchange, door.requirement, "no credentials were sent"),
  },
  {
    ...base,
    id: `${door.word}/refuses-wrong-key`,
    title: "A request with a key that is not valid does not succeed.",
    requirements: [door.requirement],
    operation: door.operation,
    probes: [`${door.word}/with-wrong-key`],
    judge: (exchange) => judgeRefused(exchange, door.requirement, "the key is not valid"),
  },
]);

const automationChecks: readonly Check[] = [
  {
    ...base,
    id: "automation/401-missing-key",
    title: "An automation request without credentials is answered with 401.",
    requirements: ["automation.401-missing-key", "automation.requires-authorization"],
    operation: "automation_start",
    probes: ["automation/without-key"],
    judge: (exchange) => judgeRejected(exchange, 401, "automation.401-missing-key", "a missing API key"),
  },
  {
    ...base,
    id: "automation/401-wrong-key",
    title: "An automation request with a key that is not valid is answered with 401.",
    requirements: ["automation.401-invalid-key"],
    operation: "automation_start",
    probes: ["automation/with-wrong-key"],
    judge: (exchange) => judgeRejected(exchange, 401, "automation.401-invalid-key", "an invalid API key"),
  },
];

/** Checks of authentication. Source: interface § Authentication, § Errors. */
export const authenticationChecks: readonly Check[] = [...sessionChecks, ...automationChecks];
