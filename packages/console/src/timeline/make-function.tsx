import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import type { components } from "@cloud-browser/spec/control-types";
import { control, unwrap } from "../api/control.ts";
import { links, navigate } from "../routes.ts";
import { Dialog } from "../ui/dialog.tsx";
import { ErrorNotice } from "../ui/state.tsx";
import { SubmitButton, useSubmit } from "../ui/submit.tsx";
import { sayEntry, type TimelineEntry } from "./say-entry.ts";

type Refusal = components["schemas"]["RefusedFunction"]["refused"][number];

/** Most entries that are listed to choose from. */
const mostListed = 1_000;

/** A button that makes a function of what a person or a program did, and shows it; or why none is made. */
export function MakeFunction({
  sessionId,
  entries,
}: {
  sessionId: string;
  entries: readonly TimelineEntry[];
}): JSX.Element {
  const isOpen = useSignal(false);
  return (
    <>
      <button type="button" class="quiet" onClick={() => (isOpen.value = true)}>
        Make a function
      </button>
      {isOpen.value && (
        <Dialog title="Make a function" onClose={() => (isOpen.value = false)}>
          <MakeForm sessionId={sessionId} entries={entries} />
        </Dialog>
      )}
    </>
  );
}

function MakeForm({ sessionId, entries }: { sessionId: string; entries: readonly TimelineEntry[] }): JSX.Element {
  const refused = useSignal<readonly Refusal[]>([]);
  const form = useSubmit(async (fields) => {
    refused.value = [];
    const [from, to, name] = [fields.text("from"), fields.text("to"), fields.text("name")];
    const call = control.POST("/control/sessions/{session_id}/function", {
      params: { path: { session_id: sessionId } },
      body: {
        ...(from !== "" && { from: Number(from) }),
        ...(to !== "" && { to: Number(to) }),
        ...(name !== "" && { name }),
      },
    });
    const { error } = await call;
    if (typeof error === "object" && "refused" in error) {
      refused.value = error.refused;
      return;
    }
    const { function_id } = await unwrap(call);
    navigate(links.function(function_id));
  });
  const shown = entries.slice(-mostListed);
  return (
    <form class="form" onSubmit={form.submit}>
      <p class="hint">
        What was done becomes steps, and each value a variable. What is not kept, such as a password, is asked for at
        each run.
      </p>
      <EntryField name="from" label="From" first="the beginning" entries={shown} />
      <EntryField name="to" label="To" first="the end" entries={shown} />
      <label>
        Name
        <input name="name" maxLength={100} placeholder="search tea" autoComplete="off" />
      </label>
      {form.error.value && <ErrorNotice error={form.error.value} />}
      {refused.value.length > 0 && <Refusals of={refused.value} />}
      <SubmitButton of={form} label="Make it" busy="Making it" />
    </form>
  );
}

function EntryField({
  name,
  label,
  first,
  entries,
}: {
  name: string;
  label: string;
  first: string;
  entries: readonly TimelineEntry[];
}): JSX.Element {
  return (
    <label>
      {label}
      <select name={name}>
        <option value="">{first}</option>
        {entries.map((entry) => (
          <option key={entry.seq} value={entry.seq}>
            {`${entry.seq}: ${sayEntry(entry)}`.slice(0, 100)}
          </option>
        ))}
      </select>
    </label>
  );
}

/** Says which entries can't be repeated for sure, and why. */
function Refusals({ of }: { of: readonly Refusal[] }): JSX.Element {
  return (
    <div class="notice bad" role="alert">
      <p>This can't be made a function that surely does the same:</p>
      <ul>
        {of.map(({ seq, code, message, entry }) => (
          <li key={`${seq ?? ""} ${code}`}>
            {seq !== null && <strong>Entry {seq}: </strong>}
            {entry !== null && <>{entry}: </>}
            {message}
          </li>
        ))}
      </ul>
    </div>
  );
}
