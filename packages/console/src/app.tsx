import type { ComponentChildren, JSX } from "preact";
import { useEffect } from "preact/hooks";
import { followChanges } from "./api/changes.ts";
import { apiKey, signOut } from "./api/key.ts";
import { AutomationsPage } from "./automations/automations-page.tsx";
import { FunctionPage, FunctionsPage } from "./automations/functions-page.tsx";
import { RunPage } from "./automations/run-page.tsx";
import { HandoversPage } from "./handovers/handovers-page.tsx";
import { countOpenRequests, openRequests } from "./handovers/open-requests.ts";
import { ProfilesPage } from "./profiles/profiles-page.tsx";
import { ReportsPage } from "./report/reports-page.tsx";
import { links, route, type ConsoleRoute } from "./routes.ts";
import { SessionPage } from "./session/session-page.tsx";
import { SessionsPage } from "./sessions/sessions-page.tsx";
import { SignIn } from "./sign-in.tsx";

const places = [
  { label: "Sessions", href: links.sessions, pages: ["sessions", "session"] },
  { label: "Automations", href: links.automations, pages: ["automations", "run"] },
  { label: "Functions", href: links.functions, pages: ["functions", "function"] },
  { label: "Requests", href: links.handovers, pages: ["handovers"] },
  { label: "Profiles", href: links.profiles, pages: ["profiles"] },
  { label: "Reports", href: links.reports, pages: ["reports"] },
] as const;

/** The console. */
export function App(): JSX.Element {
  useEffect(() => {
    if (apiKey.value === undefined) return undefined;
    const stops = [followChanges(), countOpenRequests()];
    return () => {
      for (const stop of stops) stop();
    };
  }, [apiKey.value]);
  if (apiKey.value === undefined) return <SignIn />;
  return (
    <>
      <a class="skip" href="#content" onClick={skip}>
        Skip to the content
      </a>
      <header class="top">
        <a class="brand" href={links.sessions}>
          Cloud browser
        </a>
        <nav aria-label="Console">
          {places.map(({ label, href, pages }) => (
            <a key={href} href={href} aria-current={isIn(route.value, pages) ? "page" : undefined}>
              {label}
              {href === links.handovers && openRequests.value > 0 && (
                <span class="badge error">{openRequests.value} open</span>
              )}
            </a>
          ))}
        </nav>
        <button type="button" class="quiet" onClick={signOut}>
          Sign out
        </button>
      </header>
      <main id="content" tabIndex={-1}>
        {show(route.value)}
      </main>
    </>
  );
}

/** A fragment is a route here: the link moves the focus itself. */
function skip(event: Event): void {
  event.preventDefault();
  document.querySelector<HTMLElement>("#content")?.focus();
}

function isIn({ page }: ConsoleRoute, pages: readonly string[]): boolean {
  return pages.includes(page);
}

function show(shown: ConsoleRoute): ComponentChildren {
  switch (shown.page) {
    case "sessions":
      return <SessionsPage />;
    case "session":
      return <SessionPage key={shown.id} id={shown.id} tab={shown.tab} />;
    case "automations":
      return <AutomationsPage />;
    case "run":
      return <RunPage key={shown.id} id={shown.id} />;
    case "functions":
      return <FunctionsPage />;
    case "function":
      return <FunctionPage key={shown.id} id={shown.id} />;
    case "handovers":
      return <HandoversPage />;
    case "profiles":
      return <ProfilesPage />;
    case "reports":
      return <ReportsPage />;
    case "unknown":
      return (
        <>
          <h1>There is no such page</h1>
          <a href={links.sessions}>All sessions</a>
        </>
      );
  }
}
