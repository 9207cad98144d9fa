import { createControl } from "@cloud-browser/client/control";

const control = createControl(); // a service that has /control, such as @cloud-browser/service
const { session_id } = await control.sessions.open({ url: "https://ferries.example/" });
const { state } = await control.sessions.end(session_id);
console.log(state); // ended
