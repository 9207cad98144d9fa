// Answers what programs ask a person, as far as a script may decide it: node answer-handovers.ts [how many]
import { setTimeout as sleep } from "node:timers/promises";
import { control } from "../control.ts";

interface Handover {
  readonly handover_id: string;
  readonly session_id: string;
  readonly state: string;
  readonly message: string;
}

const atMost = Number(process.argv[2] ?? 1);
for (let answered = 0; answered < atMost; await sleep(200)) {
  const { handovers } = await control<{ handovers: readonly Handover[] }>("/handovers");
  for (const { handover_id, session_id, message } of handovers.filter(({ state }) => state === "open")) {
    const answer = message.includes("test user") ? "done" : "declined"; // or page somebody who is on call
    await control(`/sessions/${session_id}/handovers/${handover_id}/answer`, "POST", { answer, note: "by the script" });
    console.log(`${answer}: ${message}`);
    answered++;
  }
}
