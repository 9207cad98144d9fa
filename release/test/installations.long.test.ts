import { join } from "node:path";
import { describe, expect, inject, test } from "vitest";
import { packageManagers, Project } from "./package-managers.ts";
import { uses } from "./uses.ts";

const names = ["client", "stream", "spec", "conformance", "service", "agent-tools", "cli"].map(
  (name) => `@cloud-browser/${name}`,
);

// npm installs them from a registry: from-registry.long.test.ts.
describe.each(packageManagers.slice(1))("with $name", (manager) => {
  const project = new Project(join(inject("packedFolder"), manager.name.replaceAll(/\W/g, "-")), manager);

  test("all packages are installed, nothing of what comes along runs a script, and what they are for can be done", async () => {
    const installed = await project.install(names, inject("packed"));
    expect(installed).toMatchObject({ code: 0 });
    expect(installed.output).not.toMatch(/IGNORED_BUILDS|postinstall|lifecycle script/i);
    expect(project.installScripts()).toEqual([]);

    for (const { program, expected } of uses) {
      const { output } = await project.program(program);
      for (const text of expected) expect(output).toMatch(text);
    }
  }, 600_000);
});
