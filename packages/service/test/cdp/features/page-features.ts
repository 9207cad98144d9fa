import { readError, type Feature, sendUnknown } from "./feature.ts";

/** Features of pages: input, emulation, dialogs, scripts, permissions. */
export const pageFeatures: readonly Feature[] = [
  ["a title", async ({ page, site }) => (await page.goto(site.url), page.title())],
  [
    "a click",
    async ({ page }) => (
      await page.setContent("<button onclick=\"document.title='x'\">b"),
      await page.click("button"),
      page.title()
    ),
  ],
  [
    "a fill",
    async ({ page }) => (await page.setContent("<input>"), await page.fill("input", "é語"), page.inputValue("input")),
  ],
  [
    "keys",
    async ({ page }) => (await page.setContent("<input>"), await page.type("input", "aB1"), page.inputValue("input")),
  ],
  [
    "a selection",
    async ({ page }) => (
      await page.setContent("<select><option>a<option>b</select>"),
      page.selectOption("select", "b")
    ),
  ],
  [
    "a box",
    async ({ page }) => (
      await page.setContent("<input type=checkbox>"),
      await page.check("input"),
      page.isChecked("input")
    ),
  ],
  [
    "an upload of a buffer",
    async ({ page }) => {
      await page.setContent("<input type=file>");
      await page.setInputFiles("input", { name: "a.txt", mimeType: "text/plain", buffer: Buffer.from("hello") });
      return page.evaluate(() => document.querySelector("input")?.files?.[0]?.text());
    },
  ],
  [
    "a dialog",
    async ({ page }) => {
      page.once("dialog", (dialog) => void dialog.accept("yes"));
      return page.evaluate(() => prompt("?"));
    },
  ],
  [
    "an exposed function",
    async ({ page }) => (await page.exposeFunction("twice", (n: number) => 2 * n), page.evaluate("twice(21)")),
  ],
  [
    "an init script",
    async ({ page, site }) => (
      await page.addInitScript("window.mine = 1"),
      await page.goto(site.url),
      page.evaluate("mine")
    ),
  ],
  [
    "the console",
    async ({ page }) => {
      const [message] = await Promise.all([page.waitForEvent("console"), page.evaluate(() => console.warn("a", 1))]);
      return [message.type(), message.text()];
    },
  ],
  [
    "an error of a page",
    async ({ page }) => {
      const [error] = await Promise.all([
        page.waitForEvent("pageerror"),
        page.evaluate(
          () =>
            void setTimeout(() => {
              throw new Error("mine");
            }),
        ),
      ]);
      return error.message;
    },
  ],
  [
    "a frame",
    async ({ page }) => (
      await page.setContent("<iframe srcdoc='<p>in'></iframe>"),
      page.frameLocator("iframe").locator("p").textContent()
    ),
  ],
  [
    "a worker",
    async ({ page }) => {
      const worker = page.waitForEvent("worker");
      await page.evaluate(() => void new Worker(URL.createObjectURL(new Blob(["self.n = 7"]))));
      return (await worker).evaluate("n");
    },
  ],
  [
    "a popup of a script",
    async ({ page }) => {
      const [popup] = await Promise.all([page.waitForEvent("popup"), page.evaluate(() => void open("about:blank"))]);
      return popup.url();
    },
  ],
  [
    "dark colors",
    async ({ page }) => (
      await page.emulateMedia({ colorScheme: "dark" }),
      page.evaluate(() => matchMedia("(prefers-color-scheme: dark)").matches)
    ),
  ],
  [
    "print media",
    async ({ page }) => (await page.emulateMedia({ media: "print" }), page.evaluate(() => matchMedia("print").matches)),
  ],
  [
    "print media of a page that has loaded",
    async ({ page, site }) => {
      await page.goto(site.url);
      await page.emulateMedia({ media: "print" });
      return page.evaluate(() => matchMedia("print").matches);
    },
  ],
  [
    "reduced motion",
    async ({ page }) => (
      await page.emulateMedia({ reducedMotion: "reduce" }),
      page.evaluate(() => matchMedia("(prefers-reduced-motion: reduce)").matches)
    ),
  ],
  [
    "a size of the viewport",
    async ({ page }) => (
      await page.setViewportSize({ width: 500, height: 400 }),
      page.evaluate(() => [innerWidth, innerHeight])
    ),
  ],
  [
    "a place",
    async ({ page, context, site }) => {
      await context.grantPermissions(["geolocation"]);
      await context.setGeolocation({ latitude: 1, longitude: 2 });
      await page.goto(site.url);
      return page.evaluate(
        () =>
          new Promise((resolve) =>
            navigator.geolocation.getCurrentPosition(
              ({ coords }) => resolve([coords.latitude, coords.longitude]),
              ({ message }) => resolve(message),
            ),
          ),
      );
    },
  ],
  [
    "a time zone",
    async ({ page, cdp }) => (
      await cdp.send("Emulation.setTimezoneOverride", { timezoneId: "Asia/Tokyo" }),
      page.evaluate(() => new Date(0).getHours())
    ),
  ],
  ["a clock", async ({ page }) => (await page.clock.setFixedTime(0), page.evaluate(() => Date.now()))],
  [
    "a screenshot",
    async ({ page }) =>
      (await page.screenshot({ clip: { x: 0, y: 0, width: 9, height: 9 } })).subarray(1, 4).toString(),
  ],
  ["a PDF", async ({ page }) => (await page.pdf()).subarray(0, 4).toString()],
  ["an ARIA snapshot", async ({ page }) => (await page.setContent("<h1>a</h1><button>b"), page.ariaSnapshot())],
  [
    "coverage",
    async ({ page, site }) => (
      await page.coverage.startJSCoverage(),
      await page.goto(site.url),
      Array.isArray(await page.coverage.stopJSCoverage())
    ),
  ],
  [
    "a file chooser",
    async ({ page }) => {
      await page.setContent("<input type=file multiple>");
      const [chooser] = await Promise.all([page.waitForEvent("filechooser"), page.click("input")]);
      return chooser.isMultiple();
    },
  ],
  [
    "a wheel",
    async ({ page }) => {
      await page.setContent("<div style='height:5000px'>");
      await page.mouse.wheel(0, 300);
      return page.waitForFunction(() => scrollY > 0).then(() => "scrolled");
    },
  ],
  [
    "a download",
    async ({ page }) => {
      await page.setContent("<a download=a.txt href='data:text/plain,x'>d");
      const [download] = await Promise.all([page.waitForEvent("download"), page.click("a")]);
      return download.failure();
    },
  ],
  ["permission for notifications", async ({ context }) => readError(context.grantPermissions(["notifications"]))],
  ["permission for the camera", async ({ context }) => readError(context.grantPermissions(["camera"]))],
  [
    "permissions, one of which is refused",
    async ({ page, context, site }) => {
      const error = await readError(context.grantPermissions(["camera", "notifications"], { origin: site.url }));
      await page.goto(site.url);
      const states = await page.evaluate(() =>
        Promise.all(
          (["notifications", "camera"] as PermissionName[]).map(
            async (name) => (await navigator.permissions.query({ name })).state,
          ),
        ),
      );
      return [error, ...states];
    },
  ],
  [
    "a virtual key",
    async ({ cdp }) => {
      await cdp.send("WebAuthn.enable");
      const options = { protocol: "ctap2", transport: "internal", hasResidentKey: true } as const;
      return typeof (await cdp.send("WebAuthn.addVirtualAuthenticator", { options })).authenticatorId;
    },
  ],
  [
    "metrics",
    async ({ cdp }) => (
      await cdp.send("Performance.enable"),
      (await cdp.send("Performance.getMetrics")).metrics.length > 9
    ),
  ],
  ["an unknown command", async ({ cdp }) => readError(sendUnknown(cdp, "Page.unheardOf"))],
  ["a command of an unknown domain", async ({ cdp }) => readError(sendUnknown(cdp, "Unheard.of"))],
  [
    "information about the system",
    async ({ context }) => {
      const session = await context.browser()?.newBrowserCDPSession();
      return readError(session?.send("SystemInfo.getInfo") ?? Promise.resolve());
    },
  ],
  [
    "an unknown command of the browser",
    async ({ context }) => {
      const session = await context.browser()?.newBrowserCDPSession();
      return readError(session ? sendUnknown(session, "Browser.unheardOf") : Promise.resolve());
    },
  ],
  [
    "a new context",
    async ({ context }) =>
      readError(
        Promise.resolve(
          context
            .browser()
            ?.newContext()
            .then((target) => target.close()),
        ),
      ),
  ],
];
