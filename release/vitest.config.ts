import { mergeConfig } from "vitest/config";
import base from "../vitest.base.ts";

// Only the long tests need a release.
const projects = base.test?.projects?.map((project) =>
  typeof project === "object" && "test" in project && project.test?.name === "long"
    ? { ...project, test: { ...project.test, globalSetup: "test/pack-all.ts" } }
    : project,
);

export default mergeConfig({ ...base, test: { ...base.test, projects } }, { test: { passWithNoTests: true } });
