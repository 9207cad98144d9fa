import { undeclaredVariables } from "@cloud-browser/automation";

console.log(undeclaredVariables([{ action: "open", url: "https://ferries.example/{{pier}}" }], [])); // [ 'pier' ]
