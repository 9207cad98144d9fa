// Asks a person to do something in a session, and goes on with the answer: node ask-a-person.ts <session>
import { randomUUID } from "node:crypto";

const session = process.argv[2] ?? "";
const { CLOUD_BROWSER_BASE_URL: base, CLOUD_BROWSER_API_KEY: key } = process.env;
const response = await fetch(`${base}/control/sessions/${session}/handover`, {
  method: "POST",
  headers: {
    authorization: `Bearer ${key}`,
    "content-type": "application/json",
    "idempotency-key": randomUUID(), // the same one again, after a lost connection, asks only once
  },
  body: JSON.stringify({ message: "Log in as the test user, please.", deadline_s: 900, wait_s: 900 }),
});
if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
console.log("a person is asked");

// The answer comes when a person has given it; until then there is white space.
const { answer, note }: { answer: string; note?: string | null } = await response.json();
if (answer === "done") console.log(`go on: ${note}`);
else console.log(`without the person: ${answer}`); // declined, expired or ended
