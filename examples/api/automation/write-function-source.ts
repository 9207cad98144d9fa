import { writeFunctionSource } from "@cloud-browser/automation";

const source = writeFunctionSource({
  function_id: crypto.randomUUID(),
  function_name: "find_ferry",
  created_at: new Date().toISOString(),
  query: "Open the page of a pier.",
  steps: [{ action: "open", url: "https://ferries.example/piers/{{pier}}" }],
  variables: [{ name: "pier", value: "3" }],
});
console.log(source); // …export async function find_ferry(page: Page, { pier = "3" }…
