/** Parts of services: those that do something otherwise. */
import { addHeaders, other, type Change } from "./changes.ts";
import { both, type Condition } from "./conditions.ts";
import { recording, runEndingIn, type Ending } from "./content.ts";
import { findSubject, type Answer, type Fields, type Json, type ReceivedRequest, type Subject } from "./messages.ts";
import { correctService, type Parts } from "./service.ts";

/** Changes every answer for which all conditions hold. */
export const reviseAll = (change: Change, ...conditions: readonly Condition[]): Parts => ({
  revises: (answer, request) => (both(...conditions)(request, answer) ? change(answer, request) : answer),
});

/** Changes the answers of a subject for which all conditions hold. */
export const revise = (subject: Subject, change: Change, ...conditions: readonly Condition[]): Parts =>
  reviseAll(change, (request, answer) => findSubject(answer, request) === subject, ...conditions);

/** Adds headers to every answer. */
export const headers = (more: Answer["headers"]): Parts => reviseAll(addHeaders(more));

/** Takes what is right for some fields of a page scrape, and turns down all else. */
export const takes = (names: string | readonly string[], right: (value: Json) => boolean): Parts => ({
  fields: Object.fromEntries([names].flat().map((name) => [name, (value: Json) => (right(value) ? undefined : [])])),
});

/** Turns strangers away otherwise where a condition holds. */
export const turnAway = (to: Answer, when: (request: ReceivedRequest) => boolean): Parts => ({
  turnsAway: (request) => (when(request) ? to : correctService.turnsAway(request)),
});

/** Scrapes, and adds to what it gives. */
export const scraping = (more: (options: ReadonlyMap<string, Json>, request: ReceivedRequest) => Fields): Parts => ({
  scrapes: (options, request) => ({
    ...other(correctService.scrapes(options, request), {}),
    ...more(options, request),
  }),
});

/** Has these cookies. */
export const jar = (...cookies: Json[]): Parts => ({ cookies: () => ({ cookies }) });

/** Has a recording with fields that are other, or missing where they are undefined. */
export const film = (fields: Readonly<Record<string, Json | undefined>>): Parts => ({
  recording: () => other(recording, fields),
});

/** Writes events in another way, from their JSON. */
export const writes = (write: (data: string, event: Fields) => string): Parts => ({
  writes: (event) => write(JSON.stringify(event), event),
});

/** Sends the stream of other events, or of the events in another order. */
export const run = (change: (events: Fields[]) => Fields[]): Parts => ({
  run: (request) => change([...correctService.run(request)]),
});

/** Sends events of a type with more fields. */
export const events = (type: string, more: Fields): Parts =>
  run((all) => all.map((event) => (event["type"] === type ? { ...event, ...more } : event)));

/** Ends a run by an event of that type, with fields that are other, or missing where they are undefined. */
export const ending = (name: Ending, fields: Readonly<Record<string, Json | undefined>> = {}): Parts =>
  run(() => runEndingIn(name).map((event) => (event["type"] === name ? other(event, fields) : event)));
