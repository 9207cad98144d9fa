import { describe, expect, it } from "vitest";
import { Opened } from "./opened.ts";

const opened = new Opened();
const enter = ">> internal:control=enter-frame >>";

describe("A selector that leads into a frame", () => {
  it.each<readonly [where: string, selector: string, markdown: string]>([
    ["of the same origin", `#own ${enter} h2`, "## Own"],
    ["within that", `#own ${enter} iframe ${enter} p`, "deep"],
    ["of another origin", `#other ${enter} p`, "other [x](URL/x)"],
    ["finds nothing where nothing is", `#own ${enter} h5`, ""],
  ])("%s", async (_, selector, markdown) => {
    opened.site.put("/other", `<p>other <a href="${opened.site.url}/x">x</a></p>`);
    const html = `<h2>Top</h2><iframe id=own srcdoc="<h2>Own</h2><iframe srcdoc='<p>deep</p>'></iframe>"></iframe>
      <iframe id=other src="${opened.site.otherUrl}/other"></iframe>`;
    await opened.scrape(html);
    expect((await opened.scrape(html, { selector })).markdown).toBe(markdown.replaceAll("URL", opened.site.url));
  });
});

describe("A selector that can't be followed", () => {
  it.each([
    ["is longer than any that is meant", "p,".repeat(80_000) + "p"],
    ["has an engine that is not known any more", "_react=x"],
    ["has an expression that is none", "text=/(/"],
  ])("%s", async (_, selector) => {
    const began = performance.now();
    await expect(opened.scrape("<p>a</p>", { selector })).rejects.toMatchObject({ code: "bad-selector" });
    expect(performance.now() - began).toBeLessThan(2_000);
  });

  it("takes too long, and keeps the scrapes after it from nothing", async () => {
    const html = `<p>${"a".repeat(60)}!</p>`;
    await expect(opened.scrape(html, { selector: "text=/^(a+)+$/" }, { timeoutMs: 4_000 })).rejects.toMatchObject({
      code: "page-failed",
      message: expect.stringContaining("the selector timed out"),
    });
    expect((await opened.scraper.scrape(opened.page, { selector: "p" }, { timeoutMs: 4_000 })).markdown).toMatch(
      /^a+!$/,
    );
  });
});
