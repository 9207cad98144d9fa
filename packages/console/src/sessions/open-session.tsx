import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { control, unwrap } from "../api/control.ts";
import { usePolled } from "../api/polled.ts";
import { listProfiles } from "../profiles/list-profiles.ts";
import { links, navigate } from "../routes.ts";
import { Dialog } from "../ui/dialog.tsx";
import { ErrorNotice } from "../ui/state.tsx";
import { SubmitButton, useSubmit } from "../ui/submit.tsx";
import { readSessionForm } from "./session-form.ts";

/** Sizes of pages that are often wanted. */
const viewports = ["1280x720", "1920x1080", "1440x900", "768x1024", "390x844"] as const;

/** Asks what to open a session with, opens it, and shows it. */
export function OpenSessionForm({ onClose }: { onClose: () => void }): JSX.Element {
  const form = useSubmit(async (fields) => {
    const { session_id } = await unwrap(control.POST("/control/sessions", { body: readSessionForm(fields) }));
    navigate(links.session(session_id));
    onClose();
  });
  return (
    <Dialog title="Open a session" onClose={onClose}>
      <form class="form" onSubmit={form.submit}>
        <label>
          Address
          <input name="url" placeholder="https://example.com" autoFocus spellcheck={false} autoComplete="url" />
        </label>
        <label>
          Size of its pages
          <input name="viewport" list="viewports" placeholder="1280x720" pattern="\d+\s*[x×]\s*\d+" />
          <datalist id="viewports">
            {viewports.map((size) => (
              <option key={size} value={size} />
            ))}
          </datalist>
        </label>
        <label>
          Language
          <input name="locale" placeholder="en-US" />
        </label>
        <ProfileField />
        <label class="check">
          <input name="write-back" type="checkbox" defaultChecked /> Write the profile back at its end
        </label>
        <details>
          <summary>Limits, proxy, cookies and recording</summary>
          <label>
            Proxy
            <input name="proxy" placeholder="http://host:port, https://… or socks5://…" spellcheck={false} />
          </label>
          <label>
            User of the proxy
            <input name="proxy-user" autoComplete="off" />
          </label>
          <label>
            Password of the proxy
            <input name="proxy-password" type="password" autoComplete="off" />
          </label>
          <label>
            Ends after so many minutes without activity
            <input name="idle" type="number" min="1" max="1440" />
          </label>
          <label>
            Ends after so many minutes in any case
            <input name="total" type="number" min="1" max="1440" />
          </label>
          <label>
            Cookies, as JSON
            <textarea
              name="cookies"
              rows={3}
              spellcheck={false}
              placeholder='[{"name": "…", "value": "…", "domain": "…"}]'
            />
          </label>
          <label class="check">
            <input name="record" type="checkbox" defaultChecked /> Record it
          </label>
        </details>
        {form.error.value && <ErrorNotice error={form.error.value} />}
        <SubmitButton of={form} label="Open" busy="Opening" />
      </form>
    </Dialog>
  );
}

/** Field for a profile; existing profiles are listed on focus. */
function ProfileField(): JSX.Element {
  const isUsed = useSignal(false);
  const profiles = usePolled(async (signal) => (isUsed.value ? listProfiles(signal) : []), [isUsed.value]);
  return (
    <label>
      Profile: the logins that it begins with
      <input
        name="profile"
        list="profiles"
        placeholder="none; a new name makes one"
        pattern="[A-Za-z0-9][A-Za-z0-9._\-]{0,63}"
        onFocus={() => (isUsed.value = true)}
      />
      <datalist id="profiles">
        {profiles.value.value?.map(({ name }) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </label>
  );
}
