import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { Loading } from "./state.tsx";

/** Markdown of a stranger's page, rendered. What renders it is loaded when it is used. */
export function MarkdownView({ text }: { text: string }): JSX.Element {
  const place = useRef<HTMLDivElement>(null);
  const isReady = useSignal(false);
  useEffect(() => {
    let isLeft = false;
    void import("./render-markdown.ts").then(({ renderPageMarkdown }) => {
      if (isLeft || !place.current) return;
      place.current.replaceChildren(renderPageMarkdown(text));
      isReady.value = true;
    });
    return () => {
      isLeft = true;
    };
  }, [text]);
  return (
    <>
      {!isReady.value && <Loading what="Rendering" />}
      <div ref={place} class="markdown" />
    </>
  );
}
