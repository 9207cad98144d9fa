/** Dredd: one request for each response of the contract, with hooks. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { isObject, type Fields } from "../../test/targets/messages.ts";
import { makeProgram, run } from "../command.ts";
import { contract30 } from "../contract.ts";
import { runLimitMs, type Suite } from "../suite.ts";

const hooks = fileURLToPath(new URL("dredd-hooks.cjs", import.meta.url));

/** The contract without its default responses: Dredd takes them for one more kind of 200. */
function contract(): Fields {
  const whole = contract30();
  const paths = isObject(whole["paths"]) ? whole["paths"] : {};
  for (const item of Object.values(paths)) {
    for (const operation of Object.values(isObject(item) ? item : {}))
      if (isObject(operation) && isObject(operation["responses"])) delete operation["responses"]["default"];
  }
  return whole;
}

/** What the hooks write of each transaction. */
interface Transaction {
  readonly name: string;
  readonly skip?: boolean;
  readonly status?: string;
  readonly message?: string;
}

export const dredd: Suite = {
  name: "Dredd 14.1",
  input: "OpenAPI 3.0, turned down from 3.1; hooks for key, 400, 401 and 422",
  prepare: async (folder) => {
    writeFileSync(join(folder, "contract.json"), JSON.stringify(contract()));
  },
  judge: async (address, folder, own) => {
    const started = [join(folder, "contract.json"), address, `--hookfiles=${hooks}`, "--loglevel=error"];
    const { late, output } = await run(makeProgram("dredd"), started, own, runLimitMs);
    const report = join(own, "dredd.json");
    if (late || !existsSync(report)) return { complaints: [], broke: late ? "took too long" : output.slice(-300) };
    const transactions: Transaction[] = JSON.parse(readFileSync(report, "utf8"));
    const failed = transactions.filter(({ skip, status }) => skip !== true && status !== "pass");
    return { complaints: failed.map(({ name, status, message }) => `${name}: ${status}: ${message}`) };
  },
};
