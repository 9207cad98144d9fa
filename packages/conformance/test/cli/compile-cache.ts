import { fileURLToPath } from "node:url";

/** An environment in which Node.js compiles the suite for the first process of the tests, and not again for each. */
export const compileCache = {
  NODE_COMPILE_CACHE: fileURLToPath(new URL("../../node_modules/.cache/node-compile", import.meta.url)),
};
