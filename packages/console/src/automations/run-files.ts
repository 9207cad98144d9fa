import type { components } from "@cloud-browser/spec/control-types";
import { control, unwrap } from "../api/control.ts";

/** A file that a run is started with. */
export type RunFile = components["schemas"]["RunFiles"][number];

/** Most bytes of files that are sent with a request itself: its body may have 1 MiB, and Base64 takes a third more. */
const inlineBytes = 600_000;

/** Returns the name that a file has in a run: one that no service changes. */
export function nameOfRunFile({ name }: File): string {
  return name.replaceAll(/[^\p{L}\p{M}\p{N}._ -]/gu, "_").replace(/^\.+/, "_");
}

/**
 * Makes files ready for a run: small ones go with its request, larger ones are uploaded to a session that only holds them.
 *
 * @throws {Error} when two have the same name.
 */
export async function readRunFiles(files: readonly File[]): Promise<readonly RunFile[]> {
  const names = files.map(nameOfRunFile);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new Error(`two of the files are named ${twice}: give them names of their own`);
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  if (bytes > inlineBytes) return upload(files);
  return Promise.all(files.map(async (file) => ({ name: nameOfRunFile(file), base64: await encode(file) })));
}

async function encode(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = "";
  for (let at = 0; at < bytes.length; at += 8_192) text += String.fromCharCode(...bytes.subarray(at, at + 8_192));
  return btoa(text);
}

async function upload(files: readonly File[]): Promise<readonly RunFile[]> {
  const { session_id } = await unwrap(control.POST("/control/sessions", { body: { idle_limit_s: 600 } }));
  const path = { session_id };
  try {
    const uploads: RunFile[] = [];
    for (const file of files) {
      const name = nameOfRunFile(file);
      const { file_id } = await unwrap(
        control.POST("/control/sessions/{session_id}/files", {
          params: { path, query: { name } },
          headers: { "content-type": "application/octet-stream" },
          body: file,
          bodySerializer: () => file,
        }),
      );
      uploads.push({ session_id, file_id, name });
    }
    return uploads;
  } finally {
    // What was uploaded is kept beyond its end.
    await control.DELETE("/control/sessions/{session_id}", { params: { path } });
  }
}
