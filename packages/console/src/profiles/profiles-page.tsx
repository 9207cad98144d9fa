import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import type { components } from "@cloud-browser/spec/control-types";
import { control, ControlError, unwrap } from "../api/control.ts";
import { usePolled } from "../api/polled.ts";
import { ConfirmButton } from "../ui/confirm-button.tsx";
import { Empty, ErrorNotice, Loaded } from "../ui/state.tsx";
import { SubmitButton, useSubmit } from "../ui/submit.tsx";
import { formatBytes, Time } from "../ui/time.tsx";
import { listProfiles } from "./list-profiles.ts";

type Profile = components["schemas"]["Profile"];

/** Profiles: which logins are kept, since when, and who uses them. */
export function ProfilesPage(): JSX.Element {
  const profiles = usePolled(listProfiles, [], 5_000);
  const missing = profiles.value.error instanceof ControlError && profiles.value.error.status === 501;
  return (
    <>
      <header class="page-head">
        <h1>Profiles</h1>
      </header>
      {missing ? (
        <Empty title="Profiles are turned off">
          <p>They are encrypted: start the service with a key of yours in CLOUD_BROWSER_PROFILE_KEY.</p>
        </Empty>
      ) : (
        <>
          <Import onDone={profiles.again} />
          <Loaded of={profiles.value} retry={profiles.again}>
            {(all) =>
              all.length === 0 ? (
                <Empty title="No profiles yet">
                  <p>
                    Open a session with the name of a new one, log in, and end it: the login is kept under that name.
                  </p>
                </Empty>
              ) : (
                <ul class="grid">
                  {all.map((profile) => (
                    <ProfileCard key={`${profile.key} ${profile.name}`} profile={profile} onDelete={profiles.again} />
                  ))}
                </ul>
              )
            }
          </Loaded>
        </>
      )}
    </>
  );
}

function ProfileCard({ profile, onDelete }: { profile: Profile; onDelete: () => void }): JSX.Element {
  const { name, saved_at, bytes, in_use_by, last_write, sites } = profile;
  const logins = (sites ?? []).filter(({ login }) => login.length > 0);
  const remove = async (): Promise<void> => {
    await unwrap(control.DELETE("/control/profiles/{name}", { params: { path: { name } } }));
    onDelete();
  };
  return (
    <li class="card profile">
      <h2>{name}</h2>
      <p class="sub">
        {saved_at === null ? (
          "never written"
        ) : (
          <>
            written <Time at={saved_at} />
          </>
        )}{" "}
        · {formatBytes(bytes)}
        {in_use_by !== null && " · in use"}
      </p>
      {logins.length === 0 ? (
        <p class="hint">Nothing in it looks like a login.</p>
      ) : (
        <ul>
          {logins.map(({ site, login_since }) => (
            <li key={site}>
              {site}{" "}
              {login_since !== null && (
                <>
                  since <Time at={login_since} />
                </>
              )}
            </li>
          ))}
        </ul>
      )}
      {last_write && last_write.outcome !== "saved" && last_write.why && <p class="notice">{last_write.why}</p>}
      <footer>
        <ConfirmButton label="Delete" what={`Delete ${name}`} yes="Delete it" busy="Deleting" act={remove} />
      </footer>
    </li>
  );
}

/** Form that creates a profile from a storage state of Playwright or a cookies.txt file. */
function Import({ onDone }: { onDone: () => void }): JSX.Element {
  const text = useSignal("");
  const form = useSubmit(async (fields) => {
    const isJson = text.value.trimStart().startsWith("{");
    const name = fields.text("name");
    await unwrap(
      control.POST("/control/profiles", {
        body: isJson ? { name, storage_state: JSON.parse(text.value) } : { name, cookies_txt: text.value },
      }),
    );
    text.value = "";
    onDone();
  });
  return (
    <details>
      <summary>Import one</summary>
      <form class="form" onSubmit={form.submit}>
        <label>
          Name
          <input name="name" required pattern="[A-Za-z0-9][A-Za-z0-9._\-]{0,63}" />
        </label>
        <label>
          A storage state of Playwright (JSON), or a cookies.txt file
          <input
            type="file"
            required
            onChange={async ({ currentTarget }) => (text.value = (await currentTarget.files?.[0]?.text()) ?? "")}
          />
        </label>
        {form.error.value && <ErrorNotice error={form.error.value} />}
        <SubmitButton of={form} label="Import" busy="Importing" disabled={text.value === ""} />
      </form>
    </details>
  );
}
