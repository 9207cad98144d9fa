import { useSignal } from "@preact/signals";
import type { JSX } from "preact";

/** Copies a text to the clipboard, and says that it did. */
export function CopyButton({ text, label = "Copy" }: { text: string; label?: string }): JSX.Element {
  const caption = useSignal(label);
  const copy = async (): Promise<void> => {
    caption.value = await navigator.clipboard.writeText(text).then(
      () => "Copied",
      () => "Select and copy it",
    );
    setTimeout(() => (caption.value = label), 2_000);
  };
  return (
    <button type="button" class="quiet" aria-live="polite" onClick={() => void copy()}>
      {caption}
    </button>
  );
}

/** A text to copy, such as a snippet, with its button. */
export function Snippet({ text, label }: { text: string; label: string }): JSX.Element {
  return (
    <div class="snippet">
      <pre tabIndex={0} aria-label={label}>
        {text}
      </pre>
      <CopyButton text={text} />
    </div>
  );
}
