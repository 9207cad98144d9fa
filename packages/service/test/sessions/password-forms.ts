import { startSite } from "@cloud-browser/testing/site.ts";
import { vi } from "vitest";
import type { SessionView } from "../../src/control/session-view.ts";
import { readAnswer, type TestService } from "../running-service.ts";

const form = (action: string): string => `<title>Sign in</title>
<form action="/in"><input name="who" value="me"><input name="entry" type="password" value="hunter2"><button>Sign in</button></form>
<script>${action}</script>`;

/** Pages that send a password by GET, and how they do so. */
export const passwordForms: readonly (readonly [how: string, page: string])[] = [
  ["by its button", form('document.querySelector("button").click()')],
  ["by a script, which no event tells of", form("document.querySelector('form').submit()")],
  [
    "once it was filled, and shown as text before it is sent",
    form(`const field = document.querySelector("[type=password]"); field.focus();
      field.type = "text"; document.querySelector("form").submit()`),
  ],
  [
    "by a script that makes the address itself",
    form(`document.querySelector("[type=password]").focus(); location = "/in?who=me&entry=hunter2"`),
  ],
  [
    "in a frame",
    `<iframe srcdoc='${form('parent.location = "/in?who=me&entry=hunter2"').replace("<script>", '<script>document.querySelector("[type=password]").focus();')}'></iframe>`,
  ],
];

/** Names of fields: one session of the service must not profit from what it has learned in another. */
let forms = 0;

/** Opens such a page. Returns the address that its session has then, with `URL` and `FIELD`, and what of the service tells the password. */
export async function readShown(
  running: TestService,
  page: string,
): Promise<{ readonly address: string; readonly telling: readonly string[] }> {
  forms += 1;
  const name = `entry${forms}`;
  await using site = await startSite({ "/": page.replaceAll("entry", name), "/in": "<title>Inside</title>" });
  const { session_id: id } = await running.open({ url: `${site.url}/` });
  const view = async (): Promise<SessionView> => readAnswer(await running.ask("GET", `/control/sessions/${id}`));
  await vi.waitUntil(async () => (await view()).title === "Inside", { timeout: 60_000 });
  const { url } = await view();
  const list = await (await running.ask("GET", "/control/sessions")).text();
  const ended = await running.end(id);
  return {
    address: String(url).replace(site.url, "URL").replace(name, "FIELD"),
    telling: [list, JSON.stringify(ended)].filter((text) => text.includes("hunter2")),
  };
}
