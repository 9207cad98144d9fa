// Converts openapi.json to a collection and sends its requests: node postman.mjs <key> <session>
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import newman from "newman";
import converter from "openapi-to-postmanv2";

const [, , key, session] = process.argv;
const options = {
  requestParametersResolution: "Example",
  disableOptionalParameters: true,
  includeDeprecated: true,
};
const data = readFileSync("openapi.json", "utf8");
const { result, reason, output } = await promisify(converter.convert)({ type: "json", data }, options);
if (!result) throw new Error(reason);
const filledIn = [];
const collection = output[0].data;
for (const request of listRequests(collection)) {
  // What a person does in Postman: enters the key and the session, and switches off the optional headers.
  request.auth?.oauth2?.push({ key: "accessToken", value: key }, { key: "addTokenTo", value: "header" });
  for (const header of request.header ?? []) {
    if (!header.key.startsWith("x-service-")) continue;
    filledIn.push(header.value);
    header.disabled = true;
  }
  for (const variable of request.url.variable ?? []) variable.value = session;
}
const envVar = [{ key: "bearerToken", value: key }];
const { run } = await promisify(newman.run)({ collection, envVar });
const statuses = run.executions.map(({ response }) => response?.code);
console.log(JSON.stringify({ statuses, filledIn }));

function* listRequests(folder) {
  for (const item of folder.item ?? []) {
    if (item.request) yield item.request;
    yield* listRequests(item);
  }
}
