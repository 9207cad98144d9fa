import { useSignal } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";
import type { ScrapedPage } from "@cloud-browser/client";
import { createClient } from "../api/client.ts";
import type { ListedSession } from "../api/control.ts";
import { CopyButton } from "../ui/copy-button.tsx";
import { Empty, ErrorNotice, Loading } from "../ui/state.tsx";
import { SubmitButton, useSubmit } from "../ui/submit.tsx";
import { Tabs } from "../ui/tabs.tsx";
import { MarkdownView } from "../ui/markdown-view.tsx";
import { ImageThumbnail } from "./image-thumbnail.tsx";
import { StructuredForm } from "./structured-form.tsx";
import { DataTable } from "../ui/data-table.tsx";

/** Panel with the content of the page of a session, as the interface reads it. */
export function ContentPanel({ session }: { session: ListedSession }): JSX.Element {
  const result = useSignal<ScrapedPage | undefined>(undefined);
  const view = useSignal("rendered");
  const form = useSubmit(async (fields) => {
    result.value = undefined;
    result.value = await createClient().scrape(session.session_id, {
      scrape_images: true,
      only_main_content: fields.isChecked("main"),
      scrape_links: fields.isChecked("links"),
      selector: fields.text("selector") || null,
    });
  });
  return (
    <>
      <form class="filter" onSubmit={form.submit}>
        <label class="check">
          <input type="checkbox" name="main" /> Main content only
        </label>
        <label class="check">
          <input type="checkbox" name="links" defaultChecked /> Links
        </label>
        <label>
          Within the selector
          <input name="selector" placeholder="the whole page" spellcheck={false} />
        </label>
        <SubmitButton of={form} label="Read the page" busy="Reading" />
      </form>
      {form.error.value && <ErrorNotice error={form.error.value} />}
      {form.isBusy.value && <Loading what="Reading the page" />}
      {result.value ? (
        <Tabs
          label="Forms of the content"
          chosen={view.value}
          choose={(id) => (view.value = id)}
          tabs={[
            { id: "rendered", label: "Rendered", content: () => <MarkdownView text={result.value?.markdown ?? ""} /> },
            { id: "markdown", label: "Markdown", content: () => <Raw text={result.value?.markdown ?? ""} /> },
            {
              id: "images",
              label: "Images",
              content: () => <Images sessionId={session.session_id} images={result.value?.images ?? []} />,
            },
            { id: "data", label: "Data", content: () => <StructuredForm sessionId={session.session_id} /> },
          ]}
        />
      ) : (
        !form.isBusy.value && (
          <Empty title="Not read yet">
            <p>
              “Read the page” shows what the page says as Markdown, with its images, and data in a structure of yours.
            </p>
          </Empty>
        )
      )}
    </>
  );
}

function Raw({ text }: { text: string }): JSX.Element {
  return (
    <div class="snippet">
      <pre tabIndex={0} aria-label="Markdown of the page">
        {text}
      </pre>
      <CopyButton text={text} />
    </div>
  );
}

/** Images with their addresses. The session loads them, over its egress; this page loads nothing from other sites. */
function Images({
  sessionId,
  images,
}: {
  sessionId: string;
  images: NonNullable<ScrapedPage["images"]>;
}): ComponentChildren {
  if (images.length === 0) return <p class="hint">The page shows no images.</p>;
  return (
    <DataTable label="Images of the page" columns={["Image", "Category", "Address"]}>
      {images.map(({ url, category, description }, index) => (
        <tr key={`${index} ${url ?? ""}`}>
          <td class="wide">
            {url !== undefined && url !== null && /^https?:/.test(url) && (
              <ImageThumbnail sessionId={sessionId} url={url} />
            )}
            {description || "no description"}
          </td>
          <td>{category}</td>
          <td class="wide">
            <code>{url}</code>
          </td>
        </tr>
      ))}
    </DataTable>
  );
}
