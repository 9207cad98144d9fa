/** Overlays that give the contract the words of a service, for tools that apply them. */
import { templateWords, withWords } from "../spec/words/own-words.mjs";
import { isObject, getValue, type Json } from "./json.ts";

const path = "/api/automation/start";

/**
 * Creates the template of an overlay of a document: `AUTOMATION_WORD` and `SERVICE_WORD` stand for the words.
 *
 * Its actions update and remove only, as in Overlay 1.0: nothing there renames a path, so it is removed, and added by its new name.
 */
export function createOverlay(contract: Json): Json {
  const parameters = getValue(contract, "components", "parameters");
  const headers = Object.entries(isObject(parameters) ? parameters : {}).flatMap(([key, parameter]) => {
    const name = getValue(parameter, "name");
    if (typeof name !== "string" || rename(name) === name) return [];
    return [{ target: `$.components.parameters.${key}`, update: { name: rename(name) } }];
  });
  return {
    overlay: "1.0.0",
    info: { title: "The words of a service", version: getValue(contract, "info", "version") ?? "" },
    actions: [
      { target: `$.paths['${path}']`, remove: true },
      { target: "$.paths", update: { [rename(path)]: getValue(contract, "paths", path) ?? {} } },
      ...headers,
    ],
  };
}

/** A name with what stands for the words of a service in the template. */
function rename(name: string): string {
  return withWords(name, templateWords);
}
