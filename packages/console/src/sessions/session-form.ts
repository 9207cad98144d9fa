import type { CreateSession } from "../api/control.ts";
import type { FormFields } from "../ui/submit.tsx";

/**
 * Reads the form by which a session is opened. An address without a scheme gets one.
 *
 * @throws {Error} with what to change, when a field can't be read.
 */
export function readSessionForm({ text, isChecked }: FormFields): CreateSession {
  const url = text("url");
  const viewport = /^(\d+)\s*[x×]\s*(\d+)$/.exec(text("viewport"));
  const minutes = (name: string): number | undefined => (text(name) === "" ? undefined : Number(text(name)) * 60);
  const [idle, total] = [minutes("idle"), minutes("total")];
  return {
    ...(url === "" ? {} : { url: /^[a-z]+:/i.test(url) ? url : `https://${url}` }),
    ...(viewport ? { viewport: { width: Number(viewport[1]), height: Number(viewport[2]) } } : {}),
    ...(text("locale") === "" ? {} : { locale: text("locale") }),
    ...(idle === undefined ? {} : { idle_limit_s: idle }),
    ...(total === undefined ? {} : { total_limit_s: total }),
    ...(text("cookies") === "" ? {} : { cookies: readCookies(text("cookies")) }),
    ...(text("profile") === ""
      ? {}
      : { profile: { name: text("profile"), mode: isChecked("write-back") ? "write" : "read" } }),
    ...(text("proxy") === "" ? {} : { proxy: readProxy({ text }) }),
    ...(!isChecked("record") ? { record: false } : {}),
  };
}

function readCookies(text: string): NonNullable<CreateSession["cookies"]> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Error(`the cookies are not JSON: ${error instanceof Error ? error.message : ""}`, { cause: error });
  }
  if (!Array.isArray(value))
    throw new Error("the cookies have to be a JSON array of objects with name, value and domain");
  return value;
}

function readProxy({ text }: Pick<FormFields, "text">): NonNullable<CreateSession["proxy"]> {
  const [server, username, password] = [text("proxy"), text("proxy-user"), text("proxy-password")];
  return { server, ...(username === "" ? {} : { username }), ...(password === "" ? {} : { password }) };
}
