import { linkMarkers, linkTextMarkers, markers } from "./markers.ts";
import { pictureFolder, pictureNames, pictureTexts } from "./pictures.ts";
import { writeDocument, type PageSource } from "./page-source.ts";

const { content, chosen, table, aside, navigation, footer, rendered } = markers;
const [relativeText, absoluteText, queryText] = linkTextMarkers;
const picture = (name: keyof typeof pictureNames): string => `${pictureFolder}/${pictureNames[name]}`;

/** Word that the script assembles from two halves, so that the source of the page does not contain it. */
const word = rendered["text that a script wrote"];
const half = Math.floor(word.length / 2);

/**
 * Returns an article with everything around it that pages have: navigation bar, aside, footer, and in the main part headings, nested lists,
 * a table, code, a quotation, links and images of every kind.
 *
 * Its paragraphs are long enough for programs that find the main part by the length of its text.
 */
export function article({ address, script }: PageSource): string {
  return writeDocument({
    title: "A harbour",
    head: `<link rel="icon" type="image/png" href="${picture("favicon")}">`,
    script,
    body: `
<header>
  <nav aria-label="Main">
    <ul>
      <li><a href="map"><img src="${picture("icon")}" alt="" width="16" height="16"> To the ${navigation["navigation bar"]}</a></li>
      <li><a href="tides">To the ${navigation["second item of the navigation bar"]}</a></li>
    </ul>
  </nav>
</header>
<main>
  <article>
    <h1>Harbour ${content.heading}</h1>
    <p>The old harbour lies in the bay of ${content.paragraph}, where three rivers meet the sea and the ferries turn around
    before they leave for the islands again. Its quays were built of granite, and most of them are still in use today,
    although larger ships have gone elsewhere. Whoever stands on the outer mole at night can see the lights of
    ${content["second sentence of a paragraph"]} on the other side of the water, and on clear evenings even the mountains behind them.</p>
    <p>Every morning the market of ${content["second paragraph"]} opens before sunrise, because the boats come in with the tide and
    fish does not wait. The people who work there have done so for many years, and they know each skipper by name. By
    noon everything has been sold, the stalls are washed, and the square belongs to the children and the gulls.</p>
    <img src="${picture("content")}" alt="${pictureTexts.content}" width="320" height="200">
    <h2>Crossings to ${content.subheading}</h2>
    <ul>
      <li>Ferry to ${content["list item"]}
        <ul><li>with a stop at ${content["nested list item"]}</li></ul>
      </li>
      <li>Ferry to ${content["second list item"]} with no stop</li>
    </ul>
    <ol>
      <li>Buy a ticket at ${content["item of a numbered list"]}</li>
      <li>Go aboard at ${content["second item of a numbered list"]}</li>
    </ol>
    <blockquote><p>Nobody leaves ${content.quotation} in a hurry, the harbour master likes to say to those who come too late.</p></blockquote>
    <pre><code class="language-js">const ${content["code block"]} = 1;</code></pre>
    <table>
      <thead><tr><th>Pier ${table["header of the table"]}</th><th>Ships ${table["second header of the table"]}</th></tr></thead>
      <tbody><tr><td>Pier ${table["cell of the table"]}</td><td>4 of ${table["second cell of the table"]}</td></tr></tbody>
    </table>
    <section id="chosen">
      <h2>Lighthouse ${chosen["heading of the section"]}</h2>
      <p>The lighthouse of ${chosen["paragraph of the section"]} has shown the way into the bay for a hundred and fifty years.</p>
    </section>
    <p>See the <a href="berths/${linkMarkers["relative link"]}">${relativeText}</a>, the
    <a href="${address}/piers/${linkMarkers["absolute link"]}">${absoluteText}</a> and the
    <a href="pilots/${linkMarkers["link with a query"]}?tide=low&amp;berth=4">${queryText}</a>.</p>
    <img src="${picture("decorative")}" alt="" role="presentation" width="600" height="4">
    <img src="${picture("second content")}" alt="${pictureTexts["second content"]}" width="300" height="220">
    <img src="${picture("svg")}" alt="${pictureTexts.svg}" width="64" height="64">
    <svg width="24" height="24" viewBox="0 0 24 24" aria-hidden="true"><path d="M12 2 22 22 2 22z"></path></svg>
    <svg width="360" height="200" viewBox="0 0 36 20" role="img" aria-label="Depth of the bay"><path d="M1 19 9 5 18 12 27 3 35 19z"></path></svg>
    <p id="rendered"></p>
    <script>
      document.getElementById("rendered").textContent = "Today the ${word.slice(0, half)}" + "${word.slice(half)} is at anchor.";
    </script>
  </article>
</main>
<aside><p>A note beside the article: the pilot of ${aside["text of the aside"]} has retired.</p></aside>
<footer><p>Printed by ${footer.footer} in the old customs house.</p></footer>`,
  });
}
