import type { JSX } from "preact";
import type { ListedSession } from "../api/control.ts";
import { Snippet } from "../ui/copy-button.tsx";
import { Empty } from "../ui/state.tsx";
import { writeSnippets } from "./snippets.ts";

/** Panel with the ways in which a program drives the session. */
export function ConnectPanel({ session: { cdp_url } }: { session: ListedSession }): JSX.Element {
  if (cdp_url === null) {
    return (
      <Empty title="This key can't drive the session">
        <p>Its address for programs is shown to the key that opened it. Sign in with that one.</p>
      </Empty>
    );
  }
  return (
    <>
      <p class="notice">
        The address is a secret: who has it drives this session, until it ends. Programs read it as <code>CDP_URL</code>
        .
      </p>
      <h2>Address</h2>
      <Snippet label="Address for programs" text={cdp_url} />
      {writeSnippets().map(({ name, code }) => (
        <section key={name}>
          <h2>{name}</h2>
          <Snippet label={`Program for ${name}`} text={code} />
        </section>
      ))}
    </>
  );
}
