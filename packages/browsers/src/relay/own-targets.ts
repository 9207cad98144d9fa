import { type Fields, textOf } from "../devtools/message.ts";
import { belongsToPages, readTargetInfo, type TargetInfo } from "./target-info.ts";

/** Pages, frames and workers of one browser context, as the browser tells of them. */
export class OwnTargets {
  readonly #contextId: string;
  readonly #targets = new Map<string, TargetInfo>();

  constructor(contextId: string) {
    this.#contextId = contextId;
  }

  /** A target of the context by its id; undefined when it is none, whether it exists elsewhere or not at all. */
  get(targetId: unknown): TargetInfo | undefined {
    const info = this.#targets.get(textOf(targetId) ?? "");
    return info && belongsToPages(info) ? info : undefined;
  }

  /** All of them. */
  all(): TargetInfo[] {
    return [...this.#targets.values()].filter(belongsToPages);
  }

  /** Takes how targets are now, of those that are known: Chromium tells of a changed title only when it is asked. */
  renew(infos: unknown): void {
    for (const info of Array.isArray(infos) ? infos.map(readTargetInfo) : []) {
      if (info && this.#targets.has(info.targetId)) this.#targets.set(info.targetId, info);
    }
  }

  /** Takes an event of the browser; returns the target of the context that it is about, or undefined when it is about none. */
  note(method: string, params: Fields): TargetInfo | undefined {
    const info = readTargetInfo(params["targetInfo"]);
    if (info) {
      if (info["browserContextId"] !== this.#contextId) return undefined;
      this.#targets.set(info.targetId, info);
      return this.get(info.targetId);
    }
    const known = this.get(params["targetId"]);
    if (method === "Target.targetDestroyed") this.#targets.delete(textOf(params["targetId"]) ?? "");
    return known;
  }
}
