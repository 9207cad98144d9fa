import type { JSX } from "preact";
import { startRun } from "@cloud-browser/client/runs";
import { createClient } from "../api/client.ts";
import { links, navigate } from "../routes.ts";
import { ErrorNotice } from "../ui/state.tsx";
import { SubmitButton, useSubmit } from "../ui/submit.tsx";
import { readRunFiles } from "./run-files.ts";

/** Form that starts a task, and shows its run, which continues when this page is left. */
export function NewRun(): JSX.Element {
  const form = useSubmit(async (fields) => {
    const files = await readRunFiles(fields.files("files"));
    const request = { query: fields.text("query"), ...(files.length > 0 && { files }) };
    const { id } = await startRun(createClient(), request);
    if (id === undefined) throw new Error("the service runs it, but does not say as what: see the table below");
    navigate(links.run(id));
  });
  return (
    <form class="new-run" onSubmit={form.submit}>
      <label>
        What should be done?
        <textarea
          name="query"
          rows={3}
          required
          placeholder="open https://example.com and read the heading"
          onKeyDown={(event) => {
            if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) event.currentTarget.form?.requestSubmit();
          }}
        />
      </label>
      <label>
        Files for its pages, which the task names: upload report.pdf to Attachment
        <input name="files" type="file" multiple />
      </label>
      {form.error.value && <ErrorNotice error={form.error.value} />}
      <p>
        <SubmitButton of={form} label="Run" busy="Starting" />{" "}
        <span class="hint">A run may cost money: what its model used.</span>
      </p>
    </form>
  );
}
