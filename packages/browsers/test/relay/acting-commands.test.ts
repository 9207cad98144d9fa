import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { findAct } from "../../src/relay/policy/acting-commands.ts";

/** Every command of the protocol, as the types of Playwright have it. */
function allCommands(): readonly string[] {
  const types = join(
    dirname(createRequire(import.meta.url).resolve("playwright-core/package.json")),
    "types/protocol.d.ts",
  );
  const [, parameters = ""] = /interface CommandParameters \{([^}]*)\}/.exec(readFileSync(types, "utf8")) ?? [];
  return [...parameters.matchAll(/"(\w+\.\w+)":/g)].map(([, name = ""]) => name);
}

test("commands that do what a user does act; those that prepare, observe or let a page continue do not", () => {
  for (const name of [
    "Input.dispatchKeyEvent",
    "Input.synthesizeScrollGesture",
    "Page.navigate",
    "Page.reload",
    "Page.navigateToHistoryEntry",
    "Page.handleJavaScriptDialog",
    "Page.close",
    "Page.bringToFront",
    "Target.createTarget",
    "Target.closeTarget",
    "DOM.setFileInputFiles",
    "DOM.focus",
    "FedCm.selectAccount",
    "Network.deleteCookies",
    "Storage.clearCookies",
    "Browser.close",
  ])
    expect([name, findAct(name)]).toEqual([name, "acts"]);
  for (const name of ["Runtime.evaluate", "Runtime.callFunctionOn", "Debugger.evaluateOnCallFrame"])
    expect([name, findAct(name)]).toEqual([name, "evaluates"]);
  for (const name of [
    "Fetch.continueRequest",
    "Fetch.fulfillRequest",
    "Runtime.runIfWaitingForDebugger",
    "Debugger.resume",
    "Page.captureScreenshot",
    "Page.addScriptToEvaluateOnNewDocument",
    "Page.startScreencast",
    "Target.setAutoAttach",
    "Target.attachToTarget",
    "DOM.getDocument",
    "Nothing.navigate",
    "navigate",
  ])
    expect([name, findAct(name)]).toEqual([name, undefined]);
});

test("nothing of the whole protocol that asks, enables or records acts", () => {
  const all = allCommands();
  expect(all.length).toBeGreaterThan(400);
  const acting = all.filter((name) => findAct(name) !== undefined);
  const harmless = /\.(?:get|enable|disable|capture|describe|query|resolve|request|start|take|track)/;
  expect(acting.filter((name) => harmless.test(name))).toEqual([]);
});
