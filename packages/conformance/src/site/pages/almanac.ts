import { markers } from "./markers.ts";
import { writeDocument, type PageSource } from "./page-source.ts";
import { writingSystems } from "./writing-systems.ts";

const { before, after, frames, source } = markers;

/** Number of entries of the page: some 300 kB of them. */
const entryCount = 720;

const syllables = ["ba", "de", "fi", "go", "ku", "la", "me", "ni", "po", "ru"];

/** Returns the unique word of one entry; only letters. */
function entryWord(index: number): string {
  const digits = String(index).padStart(3, "0");
  return `moor${Array.from(digits, (digit) => syllables[Number(digit)] ?? "").join("")}`;
}

/** The words of all entries, in their order. */
export const entryWords: readonly string[] = Array.from({ length: entryCount }, (_, index) => entryWord(index));

const sentences = [
  "The wind came from the west in the morning and turned to the north before the evening bell was rung on the quay.",
  "Two boats lay at the inner mole, and a third one waited outside until the tide was high enough for its keel.",
  "The lamp of the lighthouse was cleaned, the glass of its southern window was replaced, and oil was carried up.",
  "Nobody went out to the islands, as the fog stayed on the water until noon and the pilots would not leave the harbour.",
  "A letter was brought by the ferry, together with four barrels, a bicycle and a box of instruments for the school.",
];

function entry(word: string, index: number): string {
  const own = [0, 1, 2].map((step) => sentences[(index + step) % sentences.length] ?? "").join(" ");
  return `<p>Of day ${index + 1} the keeper of ${word} has written: ${own}</p>`;
}

const halves = (word: string): string => {
  const half = Math.floor(word.length / 2);
  return `"${word.slice(0, half)}" + "${word.slice(half)}"`;
};

/** Returns a page of some 300 kB, with many writing systems and nested frames. It changes itself after loading, and reports that. */
export function almanac({ script, changeAfterMs }: PageSource): string {
  const samples = Object.values(writingSystems).map((text) => `<p>${text}</p>`);
  return writeDocument({
    title: "An almanac",
    head: `<style>.${source["style sheet"]} { color: inherit }</style>`,
    body: `
<!-- ${source.comment} -->
<main>
  <h1>The almanac of the harbour</h1>
  <p id="changing">When this was printed, the tide at ${before["sentence that changes"]} was low.</p>
  <p id="leaving">The boats of ${before["paragraph that is removed"]} are still at the quay.</p>
  <div id="arriving"></div>
  ${samples.join("\n  ")}
  <iframe src="frame" title="Tides" width="400" height="160"></iframe>
  ${entryWords.map(entry).join("\n  ")}
</main>`,
    script: `const ${source["source of a script"]} = ${changeAfterMs};
addEventListener("load", () => setTimeout(() => {
  document.getElementById("changing").textContent = "Now the tide at " + ${halves(after["sentence that has changed"])} + " is high.";
  document.getElementById("leaving").remove();
  const added = document.createElement("p");
  added.textContent = "The boats of " + ${halves(after["paragraph that was added"])} + " have come in.";
  document.getElementById("arriving").appendChild(added);
  fetch("changed").catch(() => {});
}, ${source["source of a script"]}));
${script}`,
  });
}

/** Returns the document of the outer frame, which has another one in it. */
export function outerFrame(): string {
  return writeDocument({
    title: "Tides",
    body: `<p>The tables of ${frames.frame} are in a frame.</p><iframe src="frame-within" title="Moon" width="300" height="80"></iframe>`,
  });
}

/** Returns the document of the inner frame. */
export function innerFrame(): string {
  return writeDocument({
    title: "Moon",
    body: `<p>The moon of ${frames["frame within the frame"]} is in a frame within a frame.</p>`,
  });
}
