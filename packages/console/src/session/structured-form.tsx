import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { createClient } from "../api/client.ts";
import { Snippet } from "../ui/copy-button.tsx";
import { ErrorNotice } from "../ui/state.tsx";
import { SubmitButton, useSubmit } from "../ui/submit.tsx";
import { findJsonFault } from "./json-fault.ts";

const example = `{
  "type": "object",
  "properties": {
    "title": { "type": "string" }
  },
  "required": ["title"]
}`;

/** Data of the page in a structure that is edited here. */
export function StructuredForm({ sessionId }: { sessionId: string }): JSX.Element {
  const schema = useSignal(example);
  const data = useSignal<string | undefined>(undefined);
  const fault = findJsonFault(schema.value);
  const form = useSubmit(async () => {
    data.value = undefined;
    const format: Record<string, unknown> = JSON.parse(schema.value);
    data.value = JSON.stringify(await createClient().extract(sessionId, { response_format: format }), null, 2);
  });
  return (
    <form class="form" onSubmit={form.submit}>
      <label>
        JSON Schema of the data
        <textarea
          class="code"
          rows={12}
          spellcheck={false}
          aria-invalid={fault !== undefined}
          aria-describedby="schema-fault"
          value={schema.value}
          onInput={({ currentTarget }) => (schema.value = currentTarget.value)}
        />
      </label>
      <p id="schema-fault" class="fault" role="status">
        {fault}
      </p>
      <SubmitButton of={form} label="Extract" busy="Extracting" disabled={fault !== undefined} />
      {form.error.value && <ErrorNotice error={form.error.value} />}
      {data.value !== undefined && <Snippet label="Data of the page" text={data.value} />}
    </form>
  );
}
