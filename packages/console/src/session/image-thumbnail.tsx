import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { control, unwrap } from "../api/control.ts";

/** Maximum number of images that are requested at a time. */
const most = 4;
let requested = 0;
const waiting: (() => void)[] = [];

/** A small picture of an image of a session, which loads it when it is scrolled into view; nothing where it can't be shown. */
export function ImageThumbnail({ sessionId, url }: { sessionId: string; url: string }): JSX.Element {
  const place = useRef<HTMLSpanElement>(null);
  const address = useSignal<string | undefined>(undefined);
  useEffect(() => {
    const left = new AbortController();
    const load = async (): Promise<void> => {
      if (requested >= most) await new Promise<void>((resolve) => waiting.push(resolve));
      requested += 1;
      try {
        const call = control.GET("/control/sessions/{session_id}/image", {
          params: { path: { session_id: sessionId }, query: { url } },
          parseAs: "blob",
          signal: left.signal,
        });
        const image = await unwrap<Blob>(call);
        if (!left.signal.aborted) address.value = URL.createObjectURL(image);
      } catch {
        // Its address stays.
      } finally {
        requested -= 1;
        waiting.shift()?.();
      }
    };
    const observer = new IntersectionObserver(([entry]) => {
      if (!entry?.isIntersecting) return;
      observer.disconnect();
      if (!left.signal.aborted) void load();
    });
    if (place.current) observer.observe(place.current);
    return () => {
      observer.disconnect();
      left.abort();
      if (address.peek() !== undefined) URL.revokeObjectURL(address.peek() ?? "");
    };
  }, [sessionId, url]);
  return (
    <span class="image-thumbnail" ref={place}>
      {address.value !== undefined && <img src={address.value} alt="" />}
    </span>
  );
}
