import { expect, test } from "vitest";
import { Opened } from "./opened.ts";

const opened = new Opened();

/** What nobody sees, one way each. */
const hiddenParts = [
  `<p style="opacity:0">HID</p>`,
  `<p style="opacity:.01"><b>HID</b></p>`,
  `<p style="filter:opacity(0)">HID</p>`,
  `<p style="font-size:0">HID</p>`,
  `<p style="font-size:1px">HID</p>`,
  `<p style="font-size:20px;transform:scale(.01)">HID</p>`,
  `<p style="zoom:.05">HID</p>`,
  `<p style="color:transparent">HID</p>`,
  `<p style="color:rgba(0,0,0,.01)">HID</p>`,
  `<p style="color:#fff">HID</p>`,
  `<p style="color:#fefefe">HID</p>`,
  `<div style="background:#222"><p style="color:#222">HID</p></div>`,
  `<p style="-webkit-text-fill-color:transparent">HID</p>`,
  `<p style="position:absolute;left:-9999px">HID</p>`,
  `<p style="position:absolute;top:-9999px">HID</p>`,
  `<p style="position:fixed;left:99999px">HID</p>`,
  `<p style="margin-left:-9999px;width:100px">HID</p>`,
  `<p style="transform:translateX(-9999px)">HID</p>`,
  `<p style="text-indent:-9999px">HID</p>`,
  `<p style="width:0;height:0;overflow:hidden">HID</p>`,
  `<p style="max-height:0;overflow:hidden">HID</p>`,
  `<p style="height:1px;width:1px;overflow:clip">HID</p>`,
  `<p style="position:absolute;clip:rect(0 0 0 0)">HID</p>`,
  `<p style="position:absolute;clip:rect(1px,1px,1px,1px)">HID</p>`,
  `<p style="clip-path:inset(100%)">HID</p>`,
  `<p style="clip-path:circle(0)">HID</p>`,
  `<p style="transform:scale(0)">HID</p>`,
  `<p style="transform:scaleY(0)">HID</p>`,
  `<div style="content-visibility:hidden"><p>HID</p></div>`,
  `<p style="visibility:hidden">HID</p>`,
  `<p style="display:none">HID</p>`,
  `<details><summary>More</summary>HID</details>`,
  `<details><summary>More</summary><p>HID</p></details>`,
  `<iframe style="opacity:0" srcdoc="<p>HID</p>"></iframe>`,
  `<iframe srcdoc="<p style='opacity:0'>HID</p><p>SEE frame</p>"></iframe>`,
  `<div id="host"></div><script>host.attachShadow({mode:"open"}).innerHTML='<p style="opacity:0">HID</p><p>SEE shadow</p>'</script>`,
];

/** What is seen, and looks like a trick. */
const visibleParts = [
  `<p>SEE plain</p>`,
  `<p style="opacity:.4">SEE pale</p>`,
  `<p style="font-size:7px">SEE small</p>`,
  `<p style="color:#999">SEE grey</p>`,
  `<div style="background:#222"><p style="color:#fff">SEE white on black</p></div>`,
  `<div style="position:relative;height:60px"><img alt="" src="data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAAAAAAALAAAAAABAAEAAAIBRAA7" style="position:absolute;inset:0;width:100%;height:100%"><p style="position:absolute;color:#fff">SEE white on a picture</p></div>`,
  `<div style="position:relative;height:60px"><i style="position:absolute;inset:0;background:#333"></i><p style="position:absolute;color:#fff">SEE white on a box beside it</p></div>`,
  `<div style="background:linear-gradient(#000,#111)"><p style="color:#fff">SEE white on a gradient</p></div>`,
  `<p style="background:linear-gradient(red,blue);-webkit-background-clip:text;background-clip:text;color:transparent">SEE gradient text</p>`,
  `<p style="color:#fff;text-shadow:0 0 2px #000">SEE white with a shadow</p>`,
  `<p style="display:contents">SEE contents</p>`,
  `<p style="transform:rotate(90deg)">SEE turned</p>`,
  `<p style="margin-left:-5px">SEE a little to the left</p>`,
  `<p style="text-indent:-1em">SEE hanging</p>`,
  `<div style="overflow:hidden;height:40px;width:300px"><p>SEE clipped box</p></div>`,
  `<div style="overflow:auto;height:30px"><p style="margin-top:200px">SEE scrolled box</p></div>`,
  `<div style="overflow:hidden;width:200px;white-space:nowrap"><span style="display:inline-block;width:200px">SEE slide one</span><span style="display:inline-block;width:200px">SEE slide two</span></div>`,
  `<details open><summary>SEE summary</summary>SEE details</details>`,
  `<div style="height:5000px"></div><p>SEE far down</p>`,
  `<div style="overflow:hidden;height:0"><p style="position:fixed;top:5px">SEE fixed</p></div>`.replace(
    "overflow:hidden;",
    "",
  ),
  `<table><tr><td>SEE cell</td></tr></table><ul><li>SEE item</li></ul><pre><code>SEE code</code></pre>`,
  `<svg width="100" height="20"><text y="15">SEE drawing</text></svg>`,
];

test("what nobody sees is left out when only what is visible is wanted, and nothing else", async () => {
  const html = [...hiddenParts, ...visibleParts].join("\n");
  const whole = await opened.scrape(html);
  const visible = await opened.scrape(html, {}, { visibleOnly: true });
  expect(whole.markdown.match(/HID/gu)?.length).toBeGreaterThan(25);
  expect(visible.markdown).not.toContain("HID");
  expect(words(visible.markdown)).toEqual(words(whole.markdown));
  expect(words(whole.markdown).length).toBeGreaterThan(22);
});

test("what a selector finds in a part that nobody sees is left out, too", async () => {
  const html = `<div style="opacity:0"><p>HID</p></div><p>SEE</p>`;
  const { markdown } = await opened.scrape(html, { selector: "p" }, { visibleOnly: true });
  expect(markdown.trim()).toBe("SEE");
});

test("what a page has scrolled to is as visible as before", async () => {
  await opened.scrape(`<p>SEE above</p><div style="height:4000px"></div><p>SEE below</p>`);
  await opened.page.evaluate(() => scrollTo(0, 3_000));
  const { markdown } = await opened.scraper.scrape(opened.page, {}, { timeoutMs: 30_000, visibleOnly: true });
  expect(markdown).toContain("SEE above");
  expect(markdown).toContain("SEE below");
});

function words(markdown: string): readonly string[] {
  return markdown.match(/SEE [\w ]+/gu) ?? [];
}
