/** A tool that drives sessions. */
export interface DrivingClient {
  /** As the table names it, without its version. */
  readonly title: string;
  /** Name of it in package.json here. */
  readonly dependency: string;
  /** The program of `programs/` that drives a session with it. */
  readonly program: string;
  /** What the program is told, where it serves several. Default: the dependency. */
  readonly as?: string;
}

const playwright = (version: string): DrivingClient => ({
  title: "Playwright",
  dependency: `playwright-${version}`,
  program: "playwright",
});
const puppeteer = (version: string): DrivingClient => ({
  title: "Puppeteer",
  dependency: `puppeteer-${version}`,
  program: "puppeteer",
});
const itself = (title: string, dependency: string, program: string): DrivingClient => ({ title, dependency, program });

/** All of them, in the order of the table. */
export const clients: readonly DrivingClient[] = [
  ...["1.40", "1.45", "1.50", "1.55", "1.60", "1.65"].map(playwright),
  ...["22", "25"].map(puppeteer),
  itself("chrome-remote-interface", "chrome-remote-interface", "chrome-remote-interface"),
  itself("@playwright/mcp", "@playwright/mcp", "playwright-mcp"),
  itself("chrome-devtools-mcp", "chrome-devtools-mcp", "chrome-devtools-mcp"),
  itself("agent-browser", "agent-browser", "agent-browser"),
  itself("Stagehand", "@browserbasehq/stagehand-3", "stagehand-3"),
  itself("Stagehand", "@browserbasehq/stagehand-4", "stagehand-4"),
  { title: "Crawlee, Playwright", dependency: "crawlee", program: "crawlee", as: "crawlee-playwright" },
  { title: "Crawlee, Puppeteer", dependency: "crawlee", program: "crawlee", as: "crawlee-puppeteer" },
  itself("Lighthouse", "lighthouse", "lighthouse"),
];
