import { expect, test } from "vitest";
import control from "../../src/control/control.openapi.json" with { type: "json" };
import { createApp, type AppParts } from "../../src/http/app.ts";

/** Routes of the interface, those whose address is a credential, and the page for people: they are described elsewhere. */
const described = /^\/(?:(?:sessions|api|recordings|viewer|console)\b|$)/;

test("every route of the control interface is described, and nothing else is", () => {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- routes are only added, and none is asked
  const { routes } = createApp({} as AppParts);
  const served = routes
    .filter(({ method, path }) => method !== "ALL" && !described.test(path) && path !== "/control/openapi.json")
    .map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, "{$1}").replace(/\/$/, "")}`);
  const documented = Object.entries(control.paths).flatMap(([path, operations]) =>
    Object.keys(operations)
      .filter((name) => /^(?:get|post|delete|put|patch)$/.test(name))
      .map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect([...new Set(served)].toSorted()).toEqual(documented.toSorted());
});
