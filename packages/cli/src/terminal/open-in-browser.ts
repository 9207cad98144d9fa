import { existsSync } from "node:fs";
import open from "open";
import type { Terminal } from "./terminal.ts";

/** Opens an address or a file with the program that the desktop has for it; without a desktop, says where it is. */
export async function openInBrowser(target: string, { note, env }: Pick<Terminal, "note" | "env">): Promise<void> {
  const hasDesktop =
    process.platform !== "linux" ||
    Boolean(env["DISPLAY"] || env["WAYLAND_DISPLAY"]) ||
    existsSync("/proc/sys/fs/binfmt_misc/WSLInterop");
  if (!hasDesktop) return note("cloud-browser: this machine has no desktop; open it yourself");
  try {
    const started = await open(target);
    started.on("error", () => note("cloud-browser: it could not be opened; open it yourself"));
  } catch {
    note("cloud-browser: it could not be opened; open it yourself");
  }
}

/** Returns the page of the console on which a person sees a session and acts in it, after signing in. */
export function consolePage(baseUrl: string, sessionId: string): string {
  return `${baseUrl.replace(/\/+$/, "")}/#/sessions/${encodeURIComponent(sessionId)}`;
}
