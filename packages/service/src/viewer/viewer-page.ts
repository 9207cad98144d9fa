/**
 * The page that shows a session live, for its URL; or says that it has ended.
 *
 * Source: interface § Events (`viewer_url`); its content is ours.
 *
 * @param picturesPath - Where its pictures come from, with the credential; undefined when it has ended.
 */
export function makeViewerPage(sessionId: string, picturesPath: string | undefined): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="referrer" content="no-referrer">
<link rel="icon" href="data:,">
<title>Session ${sessionId}</title>
<style>
  :root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; --line: #8884; }
  body { margin: 0; min-height: 100vh; display: grid; grid-template-rows: auto 1fr; }
  header { display: flex; gap: 1em; align-items: baseline; padding: .6em 1em; border-bottom: 1px solid var(--line); }
  h1 { font-size: 1em; margin: 0; }
  code { opacity: .7; overflow: hidden; text-overflow: ellipsis; }
  output::before { content: "●"; color: #d22; margin-right: .4em; }
  output.over::before { color: #888; }
  main { display: grid; place-items: center; padding: 1em; overflow: hidden; }
  img { max-width: 100%; max-height: calc(100vh - 5em); border: 1px solid var(--line); background: #fff; }
</style>
<header><h1>Browser session</h1>${picturesPath === undefined ? endMark : "<output>live</output>"}<code>${sessionId}</code></header>
<main>${picturesPath === undefined ? endedMessage : makeLivePart(picturesPath)}</main>
</html>
`;
}

const endMark = '<output class="over">ended</output>';
const endedMessage = "<p>This session has ended. Its replay shows it.</p>";

/** The pictures of a session, and a script that polls whether it has ended. */
function makeLivePart(picturesPath: string): string {
  return `<img alt="The screen of the session" src="${picturesPath}">
<script>
  const state = document.querySelector("output");
  const over = () => { state.textContent = "ended"; state.className = "over"; };
  const watch = async () => {
    const response = await fetch(${JSON.stringify(picturesPath.replace("pictures?", "state?"))}).catch(() => undefined);
    if (response === undefined || !response.ok || (await response.json()).state !== "active") return over();
    setTimeout(watch, 2000);
  };
  void watch();
</script>`;
}
