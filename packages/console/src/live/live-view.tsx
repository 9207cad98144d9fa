import { useSignal } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { ListedSession } from "../api/control.ts";
import { capitalize } from "../ui/state.tsx";
import { HandoverRequest } from "../handovers/handover-request.tsx";
import { AddressBar } from "./address-bar.tsx";
import { LiveSession } from "./live-session.ts";
import { PageDialog } from "./page-dialog.tsx";
import { Screen } from "./screen.tsx";

/** The live view of an open session, with the way to take it over. */
export function LivePanel({ session, onEnd }: { session: ListedSession; onEnd: () => void }): JSX.Element {
  const canvas = useRef<HTMLCanvasElement>(null);
  const live = useSignal<LiveSession | undefined>(undefined);
  useEffect(() => {
    if (!canvas.current) return;
    const opened = new LiveSession(session, canvas.current);
    live.value = opened;
    const stop = opened.end.subscribe((reason) => {
      if (reason !== undefined) onEnd();
    });
    return () => {
      stop();
      opened.close();
    };
  }, [session.session_id]);
  const shown = live.value;
  return (
    <section class="live" aria-label="Live view">
      {shown && <Holder live={shown} />}
      {shown?.handover.value && <HandoverRequest sessionId={session.session_id} request={shown.handover.value} />}
      {shown && <AddressBar live={shown} />}
      <Screen canvas={canvas} live={shown} />
      {shown?.dialog.value && <PageDialog live={shown} dialog={shown.dialog.value} />}
      {shown?.fault.value !== undefined && (
        <p class="notice" role="status">
          {capitalize(shown.fault.value)}
        </p>
      )}
    </section>
  );
}

/** Shows who has the control, with buttons to take it and to give it back. */
function Holder({ live }: { live: LiveSession }): JSX.Element {
  if (live.end.value !== undefined) {
    return (
      <p class="holder over" role="status">
        {capitalize(live.end.value)}
      </p>
    );
  }
  const isSteering = live.mode.value === "steering";
  const other = live.holder.value?.holder === "person" && !live.holder.value.you;
  return (
    <div class={`holder ${live.isHolder ? "steering" : "watching"}`}>
      <p role="status">{describeHolder(live)}</p>
      <span class="row">
        <button type="button" onClick={({ currentTarget }) => void showLarge(currentTarget)}>
          Full screen
        </button>
        {isSteering && other ? (
          <button type="button" onClick={() => live.takeFromOther()}>
            Take it from them
          </button>
        ) : (
          <button
            type="button"
            class={live.isHolder ? "" : "primary"}
            onClick={() => (live.isHolder ? live.change("watching") : live.take())}
          >
            {live.isHolder ? "Give it back" : "Take control"}
          </button>
        )}
      </span>
    </div>
  );
}

/** Shows the live view on the whole screen, or as before. */
async function showLarge(within: Element): Promise<void> {
  if (document.fullscreenElement) return document.exitFullscreen();
  await within.closest(".live")?.requestFullscreen();
}

/** Describes who has the control, and what that means for others. */
function describeHolder(live: LiveSession): ComponentChildren {
  const { value: state } = live.holder;
  if (!live.isConnected.value) return "Connecting …";
  if (live.isHolder) {
    return (
      <>
        <strong>You have the control.</strong> Escape gives it back.{state?.waiting && " A program waits for that."}
      </>
    );
  }
  if (state?.holder !== "person") return "You are watching. Programs and automations go on.";
  const where = state.connected ? "" : " (disconnected)";
  return `Another person has the control${where}, programs wait. You are watching.`;
}
