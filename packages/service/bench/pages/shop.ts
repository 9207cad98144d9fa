/** What the pages of the site are about. */
const words =
  "the a of and to in with for on from light heavy water stone wood paper lamp chair table garden winter summer letter river bridge market small large quiet bright early late honest careful simple strong open green blue red".split(
    " ",
  );

/** Whole numbers below a limit, the same ones for the same seed. */
function createNumbers(seed: number): (limit: number) => number {
  let state = seed * 2_654_435_761 + 1;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

/** How many different pictures the pages show. */
export const pictureCount = 6;

/** Rules as many as sites have; few of them fit anything. */
export function styleSheet(): string {
  const own = `*{box-sizing:border-box}body{font:16px/1.5 sans-serif;margin:0;color:#222}header{position:sticky;top:0;background:#fff;
box-shadow:0 1px 6px #0003;padding:12px 24px;display:flex;gap:16px;z-index:2}main{max-width:1100px;margin:24px auto;padding:0 16px}
.grid{display:grid;grid-template-columns:repeat(3,1fr);gap:20px}.card{border:1px solid #ddd;border-radius:8px;padding:12px}
.card img{width:100%;height:180px;object-fit:cover;border-radius:6px}form{display:flex;gap:8px;margin:16px 0}
nav a{margin-right:14px;color:#0a58ca}.done{background:#d9f7e3;padding:16px;border-radius:8px}
@keyframes turn{to{rotate:1turn}}.spinner{width:28px;height:28px;border:4px solid #09c;border-top-color:#fff;border-radius:50%;animation:turn 1s linear infinite}`;
  const more = Array.from(
    { length: 700 },
    (_, index) => `.u${index} .card > h3.t${index % 90}{color:hsl(${index % 360} 40% 30%);margin:${index % 9}px}`,
  );
  return [own, ...more].join("\n");
}

/** A page of a shop: about 55 KB of HTML beside 55 KB of style and the pictures. Every third one has something that turns. */
export function shopPage(number: number): string {
  const below = createNumbers(number);
  const sentence = (length: number): string => Array.from({ length }, () => words[below(words.length)] ?? "").join(" ");
  const cards = Array.from(
    { length: 60 },
    (
      _,
      index,
    ) => `<article class="card u${below(700)}"><img src="/picture-${(number + index) % pictureCount}.png" alt="${sentence(4)}" width="320" height="180">
<h3 class="t${below(90)}"><a href="/page-${below(50)}">${sentence(6)}</a></h3><p>${sentence(55)}</p>
<p><b>${below(900)}.${10 + below(90)} EUR</b> <small>${sentence(9)}</small></p><ul>${`<li>${sentence(8)}</li>`.repeat(4)}</ul></article>`,
  );
  const links = Array.from({ length: 30 }, () => `<a href="/page-${below(50)}">${sentence(2)}</a>`);
  return `<!doctype html><html lang="en"><title>${sentence(5)}</title><link rel="stylesheet" href="/style.css">
<header><strong>Shop ${number}</strong>${number % 3 === 0 ? '<div class="spinner"></div>' : ""}<nav>${links.slice(0, 8).join("")}</nav></header>
<main><h1>${sentence(7)}</h1><form onsubmit="return false"><input id="name" placeholder="Name"><input id="mail" placeholder="Address">
<button id="send" type="button">Send</button></form><div id="answer"></div><div class="grid">${cards.join("\n")}</div></main><footer>${links.join("")}</footer>
<script>document.getElementById("send").addEventListener("click", () => { const answer = document.getElementById("answer");
answer.className = "done"; answer.textContent = "Thank you, " + document.getElementById("name").value + ", at " + Date.now(); });</script></html>`;
}
