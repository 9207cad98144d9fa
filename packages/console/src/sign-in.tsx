import type { JSX } from "preact";
import { signIn } from "./api/key.ts";
import { ErrorNotice } from "./ui/state.tsx";
import { SubmitButton, useSubmit } from "./ui/submit.tsx";

/** Form that asks for the API key, and tries it. */
export function SignIn(): JSX.Element {
  const form = useSubmit(async (fields) => {
    const key = fields.text("key");
    await tryKey(key);
    signIn(key);
  });
  return (
    <main class="sign-in">
      <form onSubmit={form.submit}>
        <h1>Cloud browser</h1>
        <label>
          API key
          <input name="key" type="password" required autoComplete="current-password" spellcheck={false} autoFocus />
        </label>
        {form.error.value && <ErrorNotice error={form.error.value} />}
        <SubmitButton of={form} label="Sign in" busy="Trying the key" />
        <p class="hint">
          The service prints its key when it is started for the first time on a terminal, and keeps it in{" "}
          <code>api-key.secret</code> in its data folder. It stays in this tab, and is gone when the tab is closed.
        </p>
      </form>
    </main>
  );
}

/** Sends a request to the service with a key. @throws {Error} with what to do, when it can't be used. */
async function tryKey(key: string): Promise<void> {
  if (!/^[\x21-\x7e]+$/.test(key)) throw new Error("an API key has letters, digits and signs only, without spaces");
  const headers = { authorization: `Bearer ${key}` };
  const response = await fetch("/control/sessions?limit=1", { headers }).catch(() => undefined);
  if (response?.ok) return;
  throw new Error(refusals.get(response?.status) ?? `the service answered ${response?.status ?? ""}: see its log`);
}

const refusals: ReadonlyMap<number | undefined, string> = new Map([
  [undefined, "the service does not answer: is it running?"],
  [401, "this is no key of this service: copy it again, without spaces"],
  [403, "this key may not list sessions: use one with the role use, or operate"],
  [429, "too many wrong keys were tried from here: wait a minute"],
]);
