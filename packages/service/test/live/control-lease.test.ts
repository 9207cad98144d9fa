import type { ActingCommand } from "@cloud-browser/browsers";
import { expect, test } from "vitest";
import { ControlLease } from "../../src/sessions/control/control-lease.ts";

/** A lease on a clock that the test moves. */
function leased(): {
  readonly control: ControlLease;
  readonly events: string[];
  readonly pass: (ms: number) => void;
} {
  const events: string[] = [];
  const timers = new Map<() => void, number>();
  let nowMs = 0;
  const clock = {
    now: () => nowMs,
    at: (atMs: number, due: () => void) => {
      timers.set(due, atMs);
      return () => void timers.delete(due);
    },
  };
  const onChange = (change: { readonly kind: string; readonly why?: string }): void =>
    void events.push(change.why ?? change.kind);
  const pass = (ms: number): void => {
    nowMs += ms;
    for (const [due, atMs] of timers) if (atMs <= nowMs && timers.delete(due)) due();
  };
  return { control: new ControlLease({ clock, graceMs: 100, onChange }), events, pass };
}

const [one, other, client] = [{}, {}, {}];
const command = (done: string[], name: string, act: ActingCommand["act"] = "acts", size = 1): ActingCommand => ({
  act,
  size,
  run: () => void done.push(name),
});
const readLease = (got: ReturnType<ControlLease["take"]>): string => (typeof got === "string" ? got : got.lease);

test("who is disconnected keeps the control for the grace time, and no longer", () => {
  const { control, events, pass } = leased();
  const lease = readLease(control.take(one, false));
  control.leave(one, true);
  pass(99);
  expect(control.state).toMatchObject({ holder: "person", isConnected: false, graceUntilMs: 100 });
  expect(control.take(other, false)).toBe("taken");
  expect(readLease(control.resume(other, lease))).toBe(lease);
  control.leave(other, true);
  pass(50);
  expect(control.state).toMatchObject({ holder: "person", graceUntilMs: 199 });
  control.resume(other, lease);
  pass(1_000);
  expect([control.isHeldBy(one), control.isHeldBy(other)]).toEqual([false, true]);
  control.leave(one, true);
  control.leave(other, true);
  pass(100);
  expect(control.state).toMatchObject({ holder: "program", isConnected: true, graceUntilMs: null });
  expect(control.resume(other, lease)).toBe("void");
  expect(events.join(" ")).toBe("taken disconnected resumed disconnected resumed disconnected grace-over");
});

test("a right that has ended keeps nothing, force takes it from another, and who lost it gives nothing back", () => {
  const { control, events } = leased();
  const lease = readLease(control.take(one, false));
  expect(control.take(other, true)).toBe("taken");
  expect(readLease(control.take(other, true, true))).not.toBe(lease);
  expect([control.release(one), control.resume(one, lease), control.isHeldBy(other)]).toEqual([false, "void", true]);
  control.leave(other, false);
  expect([control.isHeld, events.at(-1)]).toEqual([false, "right-ended"]);
});

test("commands wait in the order of all clients, those that evaluate only by choice, and those of a client that goes are gone", async () => {
  const { control } = leased();
  const done: string[] = [];
  expect(control.pass(client, command(done, "before"))).toBeUndefined();
  control.take(one, false);
  const returned = control.waitForReturn().then(() => done.push("run"));
  for (const [from, name, act] of [
    [client, "1", "acts"],
    [other, "gone", "acts"],
    [client, "read", "evaluates"],
    [{}, "2", "acts"],
    [client, "3", "acts"],
  ] as const)
    expect(control.pass(from, command(done, name, act))).toBeUndefined();
  control.take(one, true);
  control.pass(client, command(done, "script", "evaluates"));
  control.forget(other);
  expect([done, control.state.waitingCommands]).toEqual([["before", "read"], 4]);
  control.release(one);
  await returned;
  expect(done).toEqual(["before", "read", "1", "2", "3", "script", "run"]);
  control.pass(client, command(done, "after"));
  expect([done.at(-1), control.state.waitingCommands]).toEqual(["after", 0]);
});

test("a command beyond the bound of those that wait is refused with words, and none before it is lost", () => {
  const { control } = leased();
  const done: string[] = [];
  control.take(one, false);
  expect(control.pass(client, command(done, "large", "acts", 40 * 2 ** 20))).toMatch(/person controls.*not executed/);
  for (let times = 0; times < 1_000; times += 1)
    expect(control.pass(client, command(done, `${times}`))).toBeUndefined();
  expect(control.pass(other, command(done, "more"))).toMatch(/1000/);
  control.release(one);
  expect(done).toEqual(Array.from({ length: 1_000 }, (_, times) => `${times}`));
  control.take(one, false);
  expect(control.pass(client, command(done, "again"))).toBeUndefined();
});
