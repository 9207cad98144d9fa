import { composedCredentialChecks } from "../../src/checks/authentication/composed-credentials.ts";
import { strangerChecks } from "../../src/checks/authentication/strangers.ts";
import { status } from "../targets/changes.ts";
import type { FaultRow } from "./fault-row.ts";

/** Faults at the door: something is let in that must not be, or turned away in another way than is stated. */
export const authenticationFaults: readonly FaultRow[] = [
  ...["scrape", "cookies", "replay"].flatMap((word): FaultRow[] => [
    [`${word}/refuses-missing-key`, `${word}/without-key`, status(200)],
    [`${word}/refuses-wrong-key`, `${word}/with-wrong-key`, status(200)],
    [`${word}/refuses-empty-key`, `${word}/with-empty`, status(200)],
    [`${word}/refuses-part-of-key`, `${word}/with-key-first-half`, status(200)],
    [`${word}/refuses-extended-key`, `${word}/with-key-extended`, status(204)],
    [`${word}/refuses-altered-key`, `${word}/with-key-other-letter`, status(200)],
    [`${word}/refuses-key-in-other-case`, `${word}/with-key-other-case`, status(200)],
    [`${word}/refuses-other-scheme`, `${word}/with-key-alone`, status(200)],
    [`${word}/refuses-missing-key-with-headers`, `${word}/without-key-and-headers`, status(200)],
    [`${word}/refuses-missing-key-every-time`, `${word}/without-key-again-2`, status(200)],
    [`${word}/refuses-missing-key-on-kept-connection`, `${word}/without-key-on-kept-connection`, status(200)],
    [`${word}/refuses-wrong-key-with-headers`, `${word}/with-wrong-key-and-headers`, status(200)],
    [`${word}/refuses-wrong-key-every-time`, `${word}/with-wrong-key-again-2`, status(200)],
    [`${word}/refuses-missing-key-in-burst`, `${word}/without-key-in-burst`, status(200)],
    [`${word}/refuses-wrong-key-in-burst`, `${word}/with-wrong-key-in-burst`, status(200)],
    [`${word}/refuses-wrong-key-on-kept-connection`, `${word}/with-wrong-key-on-kept-connection`, status(200)],
  ]),
  ...composedCredentialChecks.flatMap(({ id, probes }): FaultRow[] => {
    const [first = "", ...others] = probes;
    return [[id, others.at(-1) ?? first, status(id.endsWith("answers-any-credentials") ? 500 : 200)]];
  }),
  ...strangerChecks.flatMap(({ id, probes }): FaultRow[] => [
    [id, probes.at(-1) ?? "", status(id.endsWith("answers-strangers") ? 500 : 200)],
  ]),
  ["automation/401-missing-key", "automation/without-key", status(403)],
  ["automation/401-wrong-key", "automation/with-wrong-key", status(200)],
  ["automation/refuses-empty-key", "automation/with-empty", status(403)],
  ["automation/401-empty-key", "automation/with-empty", status(400)],
  ["automation/401-part-of-key", "automation/with-key-but-last", status(200)],
  ["automation/401-extended-key", "automation/with-key-extended", status(403)],
  ["automation/401-altered-key", "automation/with-key-other-letter", status(200)],
  ["automation/401-key-in-other-case", "automation/with-key-other-case", status(200)],
  ["automation/401-other-scheme", "automation/with-key-as-basic", status(200)],
  ["automation/401-missing-key-with-headers", "automation/without-key-and-headers", status(400)],
  ["automation/401-missing-key-every-time", "automation/without-key-again-2", status(200)],
  ["automation/401-missing-key-on-kept-connection", "automation/without-key-on-kept-connection", status(403)],
  ["automation/401-wrong-key-on-kept-connection", "automation/with-wrong-key-on-kept-connection", status(200)],
  ["scrape/refuses-missing-key-and-charset", "scrape/without-key-and-charset", status(200)],
  ["scrape/refuses-wrong-key-and-charset", "scrape/with-wrong-key-and-charset", status(200)],
  ["scrape/refuses-missing-key-when-large", "scrape/without-key-and-large", status(200)],
  ["scrape/refuses-wrong-key-when-large", "scrape/with-wrong-key-and-large", status(200)],
  ["automation/refuses-missing-key-in-any-form", "automation/without-key-and-large", status(200)],
  ["automation/refuses-wrong-key-in-any-form", "automation/with-wrong-key-and-charset", status(200)],
  ["automation/401-missing-key-in-any-company", "automation/credentials-cookie-alone-wrong", status(403)],
  ["automation/401-wrong-key-in-any-form", "automation/credentials-authorization-bearer-word-null", status(403)],
  ["automation/401-wrong-key-with-headers", "automation/with-wrong-key-and-headers", status(200)],
  ["automation/401-wrong-key-every-time", "automation/with-wrong-key-again-2", status(403)],
];
