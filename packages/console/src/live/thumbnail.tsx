import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { useSignal } from "@preact/signals";
import { drawPicture } from "./draw-picture.ts";
import { liveAddress, LiveSocket } from "./live-socket.ts";

/** A small live picture of a session; it is connected while it is in sight. */
export function Thumbnail({ sessionId, viewerUrl }: { sessionId: string; viewerUrl: string | null }): JSX.Element {
  const canvas = useRef<HTMLCanvasElement>(null);
  const isShown = useSignal(false);
  const token = viewerUrl === null ? null : new URL(viewerUrl).searchParams.get("token");
  useEffect(() => {
    const element = canvas.current;
    if (!element || token === null) return;
    let socket: LiveSocket | undefined;
    const stop = (): void => {
      socket?.close();
      socket = undefined;
    };
    const look = (isVisible: boolean): void => {
      if (!isVisible) return stop();
      socket ??= new LiveSocket(
        () => Promise.resolve(liveAddress(sessionId, token)),
        { max_width: 480, max_fps: 2 },
        {
          onPicture: async (picture) => {
            await drawPicture(element, picture);
            isShown.value = true;
          },
        },
      );
    };
    const observer = new IntersectionObserver(([entry]) => look(entry?.isIntersecting === true && !document.hidden));
    observer.observe(element);
    const onVisibility = (): void => {
      if (document.hidden) return stop();
      observer.unobserve(element);
      observer.observe(element);
    };
    document.addEventListener("visibilitychange", onVisibility);
    return () => {
      observer.disconnect();
      document.removeEventListener("visibilitychange", onVisibility);
      stop();
    };
  }, [sessionId, token]);
  return (
    <div class="thumbnail">
      <canvas ref={canvas} aria-hidden="true" />
      {token === null ? <span>opened with another key</span> : !isShown.value && <span>no picture yet</span>}
    </div>
  );
}
