import type { SessionView } from "../../src/control/session-view.ts";
import type { ServiceOptions } from "../../src/service-options.ts";
import { serveHttp, type HttpServer } from "../http-server.ts";
import { readAnswer, startTestService, type TestService } from "../running-service.ts";
import { LiveClient } from "./live-client.ts";

/** A token, with the addresses that it is part of. */
export interface Made {
  readonly token_id: string;
  readonly token: string;
  readonly live_url: string;
  readonly viewer_url: string;
  readonly cdp_url: string;
}

/** A session with a viewer who may steer it. */
export interface LiveTestSession extends AsyncDisposable {
  readonly session: SessionView;
  readonly steer: LiveClient;
  /** Address of a viewer who may only watch. */
  readonly watchUrl: string;
}

/** Says in its title what was done to it, and in its colour that it was clicked. */
const html = `<!doctype html><title>start</title><body style="margin:0"><input id="i" style="position:absolute;top:300px">
<script>
  let moves = 0, clicks = 0;
  const say = () => (document.title = "clicks " + clicks + " text " + i.value);
  addEventListener("mousemove", () => { moves += 1; const end = performance.now() + (window.slow ?? 0); while (performance.now() < end); });
  addEventListener("mousedown", () => { clicks += 1; window.movesAtClick = moves; document.body.style.background = clicks % 2 ? "red" : "blue"; say(); });
  addEventListener("input", say);
  addEventListener("input", () => (sessionStorage.typed = i.value));
</script>`;

/** A service, a site, and sessions on it that are seen live. */
export class LiveTest implements AsyncDisposable {
  readonly running: TestService;
  readonly site: HttpServer;

  private constructor(running: TestService, site: HttpServer) {
    this.running = running;
    this.site = site;
  }

  static async start(options: ServiceOptions = {}): Promise<LiveTest> {
    const site = await serveHttp((_, response) => void response.setHeader("content-type", "text/html").end(html));
    return new LiveTest(await startTestService(options), site);
  }

  /** Makes a token. */
  async make(session: SessionView, scope: string, lifetime_s = 60): Promise<Made> {
    const path = `/control/sessions/${session.session_id}/tokens`;
    const answer = await this.running.ask("POST", path, { scope, lifetime_s });
    if (answer.status !== 201) throw new Error(`no token: ${await answer.text()}`);
    return readAnswer<Made>(answer);
  }

  /** Opens a session on the site. */
  async open(): Promise<LiveTestSession> {
    const session = await this.running.open({ url: this.site.url });
    const steer = await LiveClient.open((await this.make(session, "steer")).live_url);
    const watchUrl = (await this.make(session, "watch")).live_url;
    const end = async (): Promise<void> => void (await this.running.end(session.session_id));
    return { session, steer, watchUrl, [Symbol.asyncDispose]: end };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.running[Symbol.asyncDispose]();
    await this.site[Symbol.asyncDispose]();
  }
}

/** Messages of a click. */
export function click(x: number, y: number): readonly object[] {
  return [
    { type: "mouse", action: "down", x, y },
    { type: "mouse", action: "up", x, y },
  ];
}
