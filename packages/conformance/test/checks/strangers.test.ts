/** Whom a target lets in by mistake, and how a correct one turns strangers away. All of them are in the kill table. */
import { expect, test } from "vitest";
import { tryService } from "../kills/trial.ts";
import { correctAtTheDoor } from "../targets/correct/strangers.ts";
import { strangerFaults } from "../targets/faults/strangers.ts";
import { validationErrorFaults } from "../targets/faults/validation-errors.ts";
import { correctService } from "../targets/service.ts";

/** Errors of a target that answers browsers otherwise: their requirement is the status or the body of a validation error. */
const browserFaults = validationErrorFaults.filter(({ id }) => id.endsWith("for-browsers"));

const only = [
  "validates-whatever-accept",
  "validation-error/json",
  "refuses-strangers",
  "answers-strangers",
  "refuses-wrong-key",
  "refuses-missing-key",
  "401-wrong-key",
];

test.for([...strangerFaults, ...browserFaults].map((fault) => [fault.id, fault] as const))(
  "%s",
  async ([, { how, requirement }]) => {
    const report = await tryService({ ...correctService, ...how() }, { options: { only } });
    const named = report.checks.flatMap(({ findings }) => findings.map((finding) => finding.requirement));
    expect([...new Set(named)]).toEqual([requirement]);
  },
);

test.for(correctAtTheDoor.map(({ does, parts }) => [does, parts] as const))(
  "a correct server gets no finding that %s",
  async ([, parts]) => {
    const report = await tryService({ ...correctService, ...parts }, { options: { only, strict: true } });
    expect(report.checks.filter(({ status }) => status === "fail" || status === "error")).toEqual([]);
  },
);
