import { writeFile } from "node:fs/promises";
import { createCloudBrowser } from "@cloud-browser/client";
import { toCookiesTxt } from "@cloud-browser/client/cookies";

const response = await createCloudBrowser().cookies("9f6e1c52-7a0b-4d83-b1ce-5f20a4d7e318");
const { text } = toCookiesTxt(response);
await writeFile("cookies.txt", text, { mode: 0o600 }); // curl -b cookies.txt https://ferries.example/
console.log(text.split("\n")[0]); // # Netscape HTTP Cookie File
