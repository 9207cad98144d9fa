// Answers what programs ask a person, as far as a script may decide it: node answer-handovers.ts [how many]
import { setTimeout as sleep } from "node:timers/promises";
import { createControl } from "@cloud-browser/client/control";

const control = createControl();
const atMost = Number(process.argv[2] ?? 1);
for (let answered = 0; answered < atMost; await sleep(200)) {
  const { handovers } = await control.handovers.list({ state: "open" });
  for (const { handover_id, session_id, message } of handovers) {
    const answer = message.includes("test user") ? "done" : "declined"; // or page somebody who is on call
    await control.handovers.answer(session_id, handover_id, { answer, note: "by the script" });
    console.log(`${answer}: ${message}`);
    answered++;
  }
}
