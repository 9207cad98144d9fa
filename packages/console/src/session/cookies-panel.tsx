import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import type { CookiesResponse } from "@cloud-browser/client";
import { createClient } from "../api/client.ts";
import type { ListedSession } from "../api/control.ts";
import { usePolled } from "../api/polled.ts";
import { Snippet } from "../ui/copy-button.tsx";
import { Empty, Loaded } from "../ui/state.tsx";
import { Time } from "../ui/time.tsx";
import { cookieForms, exportCookies, type CookieForm } from "./export-cookies.ts";
import { DataTable } from "../ui/data-table.tsx";

type Cookies = CookiesResponse["cookies"];

/** The cookies of a session, and what other tools read them from. */
export function CookiesPanel({ session: { session_id: sessionId, url } }: { session: ListedSession }): JSX.Element {
  const cookies = usePolled(
    async (signal) => (await createClient().cookies(sessionId, { signal })).cookies,
    [sessionId],
  );
  return (
    <>
      <p>
        <button type="button" onClick={cookies.again}>
          Read again
        </button>
      </p>
      <Loaded of={cookies.value} retry={cookies.again}>
        {(all) =>
          all.length === 0 ? (
            <Empty title="No cookies">
              <p>The pages of this session have set none so far.</p>
            </Empty>
          ) : (
            <>
              <CookieTable cookies={all} />
              <Export cookies={all} pageUrl={url} />
            </>
          )
        }
      </Loaded>
    </>
  );
}

/** Cookies as a table. Values are secrets: each is shown after a click. */
function CookieTable({ cookies }: { cookies: Cookies }): JSX.Element {
  return (
    <DataTable label="Cookies" columns={["Name", "Value", "Domain", "Path", "Expires", "Flags"]}>
      {cookies.map((cookie, index) => (
        <tr key={`${index} ${cookie.name ?? ""}`}>
          <td>{cookie.name}</td>
          <td>
            <Secret text={cookie.value ?? ""} of={cookie.name ?? ""} />
          </td>
          <td>{cookie.domain}</td>
          <td>{cookie.path}</td>
          <td>{formatExpiry(cookie)}</td>
          <td>{listFlags(cookie).join(", ")}</td>
        </tr>
      ))}
    </DataTable>
  );
}

function Secret({ text, of }: { text: string; of: string }): JSX.Element {
  const isShown = useSignal(false);
  if (isShown.value) return <code class="secret">{text}</code>;
  return (
    <button type="button" class="quiet" aria-label={`Show the value of ${of}`} onClick={() => (isShown.value = true)}>
      show
    </button>
  );
}

function formatExpiry({ expirationDate, expires, session }: Cookies[number]): JSX.Element | string {
  const seconds = expirationDate ?? expires;
  if (session === true || seconds === undefined || seconds < 0) return "with the session";
  return <Time at={new Date(seconds * 1_000).toISOString()} />;
}

function listFlags({ httpOnly, secure, sameSite, partitionKey }: Cookies[number]): readonly string[] {
  return [
    httpOnly ? "HttpOnly" : "",
    secure ? "Secure" : "",
    sameSite ? `SameSite=${sameSite}` : "",
    partitionKey ? "Partitioned" : "",
  ].filter(Boolean);
}

function Export({ cookies, pageUrl }: { cookies: Cookies; pageUrl: string | null }): JSX.Element {
  const form = useSignal<CookieForm | "">("");
  // A header is written for a page.
  const forms = cookieForms.filter(({ id }) => id !== "header" || /^https?:/.test(pageUrl ?? ""));
  const exported = form.value === "" ? undefined : exportCookies(form.value, cookies, pageUrl ?? "");
  return (
    <section aria-labelledby="export-cookies">
      <h2 id="export-cookies">Export</h2>
      <label>
        Form
        <select
          value={form.value}
          onChange={({ currentTarget: { value } }) =>
            (form.value = cookieForms.find(({ id }) => id === value)?.id ?? "")
          }
        >
          <option value="">choose one: it shows the values</option>
          {forms.map(({ id, label }) => (
            <option key={id} value={id}>
              {label}
            </option>
          ))}
        </select>
      </label>
      {exported && <Snippet label="Exported cookies" text={exported.text} />}
      {exported && exported.losses.length > 0 && (
        <details>
          <summary>{exported.losses.length} could not be taken over as they are</summary>
          <ul>
            {exported.losses.map((loss) => (
              <li key={loss}>{loss}</li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}
