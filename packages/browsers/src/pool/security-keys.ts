import type { DriverMessages } from "../devtools/driver-messages.ts";
import { isFields, asText, type Fields } from "../devtools/message.ts";

/** Hides security keys from the pages of a browser. */
export interface SecurityKeyBlock {
  /** Must be called for a context when CDP sessions of other connections with its pages have ended. */
  readonly renew: (contextId: string) => void;
}

/** Target types that have a document. */
const documentTargets: ReadonlySet<unknown> = new Set(["page", "iframe"]);

/**
 * Makes pages that request a security key (WebAuthn) behave as on a machine without one. The headless shell from npm crashes when it looks
 * for one, which it does not do while CDP's virtual authenticators are enabled; none are added. Any CDP session that detaches from a page
 * disables them; its first session enables them again.
 */
export function blockSecurityKeys(driver: DriverMessages): SecurityKeyBlock {
  /** First session of each target, which exists as long as the target, and its context. */
  const firstSessions = new Map<string, { readonly sessionId: string; readonly contextId: string | undefined }>();
  /** Target of each session. */
  const targets = new Map<string, string>();
  const enableVirtualAuthenticators = (sessionId: string): void => driver.send("WebAuthn.enable", {}, sessionId);

  const onAttached = ({ sessionId, targetInfo }: Fields): void => {
    if (typeof sessionId !== "string" || !isFields(targetInfo) || !documentTargets.has(targetInfo["type"])) return;
    const targetId = asText(targetInfo["targetId"]) ?? "";
    targets.set(sessionId, targetId);
    if (firstSessions.has(targetId)) return;
    firstSessions.set(targetId, { sessionId, contextId: asText(targetInfo["browserContextId"]) });
    enableVirtualAuthenticators(sessionId);
  };

  const onDetached = ({ sessionId }: Fields): void => {
    if (typeof sessionId !== "string") return;
    const targetId = targets.get(sessionId) ?? "";
    targets.delete(sessionId);
    const lasting = firstSessions.get(targetId)?.sessionId;
    if (lasting === sessionId) firstSessions.delete(targetId);
    else if (lasting !== undefined) enableVirtualAuthenticators(lasting);
  };

  driver.onEvent("Target.attachedToTarget", onAttached);
  driver.onEvent("Target.detachedFromTarget", onDetached);
  return {
    renew(contextId) {
      for (const lasting of firstSessions.values())
        if (lasting.contextId === contextId) enableVirtualAuthenticators(lasting.sessionId);
    },
  };
}
