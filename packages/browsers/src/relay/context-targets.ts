import { type Fields, asText } from "../devtools/message.ts";
import { belongsToPages, readTargetInfo, type TargetInfo } from "./target-info.ts";

/** Targets (pages, frames, workers) of one browser context, as reported by the browser. */
export class ContextTargets {
  readonly #contextId: string;
  readonly #targets = new Map<string, TargetInfo>();

  constructor(contextId: string) {
    this.#contextId = contextId;
  }

  /** Returns a target of the context by its id; undefined if it does not exist, or belongs to another context. */
  get(targetId: unknown): TargetInfo | undefined {
    const info = this.#targets.get(asText(targetId) ?? "");
    return info && belongsToPages(info) ? info : undefined;
  }

  /** All targets of the context. */
  all(): TargetInfo[] {
    return [...this.#targets.values()].filter(belongsToPages);
  }

  /** Updates known targets: Chromium does not send an event when a title changes. */
  update(infos: unknown): void {
    for (const info of Array.isArray(infos) ? infos.map(readTargetInfo) : []) {
      if (info && this.#targets.has(info.targetId)) this.#targets.set(info.targetId, info);
    }
  }

  /** Handles an event of the browser; returns the target of the context that it is about, or undefined. */
  onEvent(method: string, params: Fields): TargetInfo | undefined {
    const info = readTargetInfo(params["targetInfo"]);
    if (info) {
      if (info["browserContextId"] !== this.#contextId) return undefined;
      this.#targets.set(info.targetId, info);
      return this.get(info.targetId);
    }
    const known = this.get(params["targetId"]);
    if (method === "Target.targetDestroyed") this.#targets.delete(asText(params["targetId"]) ?? "");
    return known;
  }
}
