// Asks a person to do something in a session, and continues with the answer: node ask-a-person.ts <session>
import { createControl } from "@cloud-browser/client/control";

const session = process.argv[2] ?? "";
const { handovers } = createControl();
const { handover_id } = await handovers.ask(session, {
  message: "Log in as the test user, please.",
  deadline_s: 900,
});
console.log("a person is asked");

const { answer, note } = await handovers.wait(session, handover_id); // also in another process, and after the end of the session
if (answer === "done") console.log(`go on: ${note}`);
else console.log(`without the person: ${answer}`); // declined, expired or ended
