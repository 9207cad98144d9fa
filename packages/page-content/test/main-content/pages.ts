import { around, pageAround, paragraphs, paragraphText } from "./surroundings.ts";

/** A page, what its main content must have, and what it must not have beside the usual surroundings. */
export interface ContentCase {
  name: string;
  html: string;
  must: readonly string[];
  mustNot?: readonly string[];
  /** Selectors that must find something in the result. */
  structure?: readonly string[];
}

const post = (author: string, day: number, text: string): string =>
  `<div class="post" id="post-${day}"><div class="post-author"><a href="/u/${author}">${author}</a></div><div class="post-date">${day} May 2026, 10:${10 + day}</div><div class="post-body"><p>${text}</p></div></div>`;
const card = (at: number): string =>
  `<li class="product-card"><a href="/item/${at}"><img src="https://shop.test/${at}.jpg" alt="Lamp ${at}"><h3>Deck lamp model ${at}</h3></a><span class="price">$${at * 10 + 9}.00</span></li>`;
const code = `<pre><code class="language-js">import { open } from "tide";\nconst tide = await open("harbour");\nconsole.log(tide.height);</code></pre>`;
const table = (rows: number): string =>
  `<table><thead><tr><th>Month</th><th>High water</th><th>Low water</th></tr></thead><tbody>${Array.from({ length: rows }, (_, at) => `<tr><td>Month ${at + 1}</td><td>${at + 2}.4 m</td><td></td></tr>`).join("")}</tbody></table>`;

/** Pages of many kinds, all written for this test. */
export const contentCases: readonly ContentCase[] = [
  {
    name: "an article in an article element, with comments and related stories after it",
    html: pageAround(
      "The fog | Harbour Post",
      `<main><article><h1>The fog that stopped the harbour</h1>${paragraphs(6)}${around.share}</article>${around.related}${around.comments}</main>${around.sidebar}`,
    ),
    must: [paragraphText(0), paragraphText(5)],
    mustNot: ["WhatsApp", "Great read as always"],
  },
  {
    name: "an article in plain divs with names of classes only",
    html: pageAround(
      "The fog",
      `<div id="wrap"><div class="entry-content">${paragraphs(6)}</div>${around.sidebar}</div>${around.comments}`,
    ),
    must: [paragraphText(0), paragraphText(5)],
  },
  {
    name: "an article without any name or landmark",
    html: pageAround("The fog", `<div><div><h1>The fog</h1>${paragraphs(7)}</div></div>`),
    must: [paragraphText(0), paragraphText(6)],
  },
  {
    name: "an article with subheadings, lists, a table, a quotation and an image",
    html: pageAround(
      "Tides",
      `<article><h1>How tides work</h1>${paragraphs(3)}<h2>What you need to know</h2><ul><li>The moon pulls the water towards it, twice a day.</li><li>The sun helps when it stands in line with the moon.</li></ul><figure><img src="https://sea.test/moon.jpg" alt="The moon over water"><figcaption>The moon over the bay in May.</figcaption></figure>${paragraphs(2)}<blockquote><p>Time and tide wait for no man, as every sailor learns.</p></blockquote>${table(6)}<p>That table was made by the harbour master, who measures the water every day of the year.</p></article>`,
    ),
    must: [
      "What you need to know",
      "The sun helps when it stands",
      "Time and tide wait for no man",
      "harbour master, who measures",
    ],
    structure: ["article h2", "ul > li", "img[alt='The moon over water']", "blockquote"],
  },
  {
    name: "an article with lines parted by br",
    html: pageAround(
      "Letters",
      `<div class="article"><h1>Letters</h1><div>${[0, 1, 2, 3, 4].map((at) => paragraphText(at)).join("<br><br>")}</div></div>`,
    ),
    must: [paragraphText(0), paragraphText(4)],
  },
  {
    name: "an article cut into two siblings by an advertisement",
    html: pageAround(
      "The fog",
      `<article><div class="text">${paragraphs(4)}</div><div class="ad-slot">Advertisement: buy our rope now</div><div class="text"><h2>The second part</h2><p>${paragraphText(8)}</p><p>${paragraphText(9)}</p></div></article>`,
    ),
    must: [paragraphText(3), paragraphText(8), paragraphText(9)],
    mustNot: ["buy our rope now"],
  },
  {
    name: "a forum thread, whose posts are the content",
    html: pageAround(
      "Engine stalls - Boat Forum",
      `<div class="breadcrumbs"><a href="/">Forum index</a> » <a href="/e">Engines</a></div><div class="thread"><h1>Engine stalls when cold</h1>${post("anna", 1, "My old diesel stalls every morning when it is cold outside. I have already changed the filter and the fuel, but nothing has helped so far. Any ideas what I could check next?")}${post("bert", 2, "Check the glow plugs first. On mine two out of four were dead, and it behaved exactly as you describe until they were warm.")}${post("carla", 3, "I would look for air in the fuel line. A tiny leak on the suction side is enough to make a cold engine stall after a minute.")}${post("anna", 4, "It was the glow plugs, thank you both! Three of them were broken, and now it starts at once even with frost.")}</div>`,
      '<meta property="og:type" content="website"><link rel="canonical" href="https://boats.test/forum/thread/engine-stalls-when-cold.123">',
    ),
    must: [
      "I have already changed the filter",
      "On mine two out of four were dead",
      "A tiny leak on the suction side",
      "Three of them were broken",
    ],
  },
  {
    name: "a question with answers",
    html: pageAround(
      "How do I splice a rope? - Ask Sailors",
      `<main><div itemscope itemtype="https://schema.org/Question"><h1>How do I splice a rope?</h1><div class="question"><p>I have a three-strand rope of twelve millimetres and want an eye at its end. Which splice is the strongest, and how many tucks does it need?</p></div><div class="answer"><p>Use an eye splice with five tucks. Unlay the strands, form the eye, and tuck each strand against the lay, one after the other.</p></div><div class="answer"><p>For synthetic rope I would make seven tucks, because it is more slippery than hemp and works loose with time.</p></div></div></main>${around.sidebar}`,
      '<link rel="canonical" href="https://ask.test/questions/77/how-do-i-splice-a-rope">',
    ),
    must: ["want an eye at its end", "Use an eye splice with five tucks", "more slippery than hemp"],
  },
  {
    name: "a product with its description and data",
    html: pageAround(
      "Storm Lantern | Chandlery",
      `<main class="product"><h1 class="product-title">Storm Lantern No. 5</h1><span class="price">$49.00</span><button>Add to cart</button><div class="product-description"><p>Our storm lantern burns for twenty hours on one filling and stays lit in wind of force eight. Its frame is made of brass, its glass can be replaced without tools.</p><p>Every lantern is made by hand in our workshop by the harbour and comes with a guarantee of ten years.</p><ul><li>Height: 31 cm, weight: 1.2 kg</li><li>Burns paraffin or lamp oil</li></ul></div></main><section class="related-products"><h2>You may also like</h2><ul>${card(1)}${card(2)}${card(3)}${card(4)}</ul></section>`,
      '<meta property="og:type" content="product"><link rel="canonical" href="https://shop.test/products/storm-lantern">',
    ),
    must: ["burns for twenty hours on one filling", "made by hand in our workshop", "Burns paraffin or lamp oil"],
  },
  {
    name: "a list of products",
    html: pageAround(
      "Deck lamps | Chandlery",
      `<main><h1>Deck lamps</h1><p>Lamps for every deck, tested in salt water for a thousand hours.</p><ul class="product-grid">${Array.from({ length: 16 }, (_, at) => card(at + 1)).join("")}</ul></main>`,
      '<link rel="canonical" href="https://shop.test/collections/deck-lamps">',
    ),
    must: ["Lamps for every deck", "Deck lamp model 1", "Deck lamp model 16"],
  },
  {
    name: "a list of articles with teasers",
    html: pageAround(
      "All stories",
      `<main><h1>All stories</h1>${Array.from({ length: 10 }, (_, at) => `<div class="teaser"><h2><a href="/s/${at}">Story number ${at + 1} of the sea</a></h2><p class="summary">A short summary of story ${at + 1}, which tells what happened on the ${at + 1}th day of the long voyage.</p></div>`).join("")}</main>`,
      '<link rel="canonical" href="https://post.test/category/stories/">',
    ),
    must: ["Story number 1 of the sea", "A short summary of story 10"],
  },
  {
    name: "documentation with code and a table of contents beside it",
    html: pageAround(
      "open() — tide.js documentation",
      `<div class="docs"><aside class="sidebar-nav"><ul><li><a href="/i">Installation guide</a></li><li><a href="/q">Quick start page</a></li><li><a href="/x">Example gallery</a></li></ul></aside><main class="markdown"><h1>open()</h1><p>Opens the tide table of a harbour. The promise settles when the first measurement has arrived, or after thirty seconds.</p><h2>Usage</h2>${code}<h2>Parameters</h2><p>The name of a harbour as it is listed in the almanac. Names are compared without regard to case, and an unknown name is an error.</p></main></div>`,
      '<link rel="canonical" href="https://tide.test/docs/api/open">',
    ),
    must: ["Opens the tide table of a harbour", 'await open("harbour")', "an unknown name is an error"],
    mustNot: ["Example gallery"],
    structure: ["pre code"],
  },
  {
    name: "a landing page of a service with sections",
    html: pageAround(
      "Harbour pilots",
      `<main><section class="hero"><h1>Pilots who know every rock</h1><p>We bring your ship safely into harbour, at any hour and in any weather.</p></section><section class="features"><h2>Why captains choose us</h2><div><h3>Experience</h3><p>Our pilots have guided more than ten thousand ships through the narrows without a single accident.</p></div><div><h3>Speed</h3><p>A pilot boat reaches you within forty minutes of your call, on every day of the year.</p></div></section><section><h2>What it costs</h2><p>You pay by the length of your ship and nothing else: no surcharge at night, none on Sundays.</p></section></main>`,
      '<link rel="canonical" href="https://pilots.test/services">',
    ),
    must: [
      "We bring your ship safely",
      "more than ten thousand ships",
      "within forty minutes of your call",
      "no surcharge at night",
    ],
  },
  {
    name: "a page that is one table",
    html: pageAround("Tides of the year", `<main><h1>Tides of the year</h1>${table(30)}</main>`),
    must: ["High water", "Month 1", "Month 30", "31.4 m"],
    structure: ["table tr:nth-child(5) > td:nth-child(3)"],
  },
  {
    name: "articles within an article",
    html: pageAround(
      "A day",
      `<article><h1>A day at sea</h1>${paragraphs(2)}<article><h2>Morning</h2><p>${paragraphText(6)}</p></article><article><h2>Evening</h2><p>${paragraphText(7)}</p></article></article>`,
    ),
    must: [paragraphText(0), paragraphText(6), paragraphText(7)],
  },
  {
    name: "a page written from right to left",
    html: `<!DOCTYPE html><html lang="ar" dir="rtl"><head><title>الضباب</title></head><body>${around.nav}<main><article><h1>الضباب في الميناء</h1>${Array.from({ length: 5 }, (_, at) => `<p>في الأسبوع ${at + 3} من الموسم غادرت العبارة الرصيف القديم قبل شروق الشمس، ولاحظ الطاقم أن التيار قد تغير. لم يستطع أحد أن يقول لماذا، لكن القبطان قرر الانتظار حتى ينقشع الضباب عن الماء.</p>`).join("")}</article></main>${around.footer}</body></html>`,
    must: ["في الأسبوع 3 من الموسم", "في الأسبوع 7 من الموسم"],
  },
  {
    name: "a page in a script without spaces",
    html: `<!DOCTYPE html><html lang="ja"><head><title>霧</title></head><body>${around.nav}<article><h1>港の霧</h1>${Array.from({ length: 5 }, (_, at) => `<p>第${at + 3}週の朝、船は日の出前に北の桟橋を離れました。乗組員は潮の流れが変わったことに気づきましたが、理由は誰にも分かりませんでした。船長は霧が晴れるまで待つことに決めました。</p>`).join("")}</article>${around.footer}</body></html>`,
    must: ["第3週の朝", "第7週の朝"],
  },
  {
    name: "a short article among long surroundings",
    html: pageAround(
      "Notice",
      `${around.related}<main><article><h1>Lock closed</h1><p>The old lock is closed on Monday because its gates are being painted. Ships can use the new lock, where a pilot is on duty all day.</p></article></main>${around.sidebar}${around.comments}`,
    ),
    must: ["its gates are being painted", "a pilot is on duty all day"],
  },
  {
    name: "an article in a table of layout",
    html: `<html><head><title>Old page</title></head><body><table><tr><td colspan="2"><a href="/">Home</a> | <a href="/n">Newsroom</a> | <a href="/c">Contact</a></td></tr><tr><td><a href="/1">Archive of 1998</a><br><a href="/2">Archive of 1999</a></td><td><h1>The fog</h1>${paragraphs(6)}</td></tr><tr><td colspan="2">© 1999. All rights reserved.</td></tr></table></body></html>`,
    must: [paragraphText(0), paragraphText(5)],
  },
  {
    name: "a recipe with ingredients and steps",
    html: pageAround(
      "Fish soup",
      `<article><h1>Fish soup of the harbour</h1><p>This soup has been cooked on our boats for a hundred years, and every family has its own way to make it.</p><h2>Ingredients</h2><ul><li>500 g of white fish, cut into pieces</li><li>2 onions, finely chopped</li><li>1 litre of stock</li></ul><h2>Steps</h2><ol><li>Fry the onions in butter until they are golden.</li><li>Add the stock and let it simmer for ten minutes.</li><li>Put in the fish and wait until it is done, which takes about five minutes.</li></ol></article>`,
    ),
    must: ["500 g of white fish", "until they are golden", "which takes about five minutes"],
    structure: ["ol > li", "ul > li"],
  },
  {
    name: "questions with answers that open on a click",
    html: pageAround(
      "Questions about the ferry",
      `<main><h1>Questions about the ferry</h1>${["Can I bring my bicycle?", "Is there food on board?", "What happens in a storm?", "Where do I buy tickets?"].map((question, at) => `<details><summary>${question}</summary><p>Answer ${at + 1}: yes, and our staff will gladly help you with it on every crossing, in summer as well as in winter.</p></details>`).join("")}</main>`,
    ),
    must: ["Is there food on board?", "Answer 1: yes", "Answer 4: yes"],
  },
  {
    name: "a biography with a list of dates",
    html: pageAround(
      "Ada Pike",
      `<main><h1>Ada Pike</h1>${paragraphs(3)}<dl><dt>Born</dt><dd>12 March 1911 in the house by the lock</dd><dt>Known for</dt><dd>Her maps of the sandbanks, drawn by hand</dd></dl><p>${paragraphText(9)}</p></main>`,
    ),
    must: [paragraphText(2), "drawn by hand", paragraphText(9)],
    structure: ["dl > dd"],
  },
  {
    name: "an article with links in its sentences",
    html: pageAround(
      "Knots",
      `<article><h1>On knots</h1>${Array.from({ length: 6 }, (_, at) => `<p>${paragraphText(at)} Read what the <a href="https://knots.test/${at}">keeper of knot ${at}</a> says of it, because nobody knows more.</p>`).join("")}</article>`,
    ),
    must: ["keeper of knot 0", "keeper of knot 5"],
    structure: ["p > a[href='https://knots.test/3']"],
  },
  {
    name: "an article whose tags and classes are those of custom elements",
    html: pageAround("The fog", `<app-shell><app-story><h1>The fog</h1>${paragraphs(6)}</app-story></app-shell>`),
    must: [paragraphText(0), paragraphText(5)],
  },
  {
    name: "an article with a box to subscribe in its middle",
    html: pageAround(
      "The fog",
      `<article><h1>The fog</h1>${paragraphs(4)}<div class="newsletter-box"><p>Enjoying this story?</p><a href="/s">Subscribe now for free</a></div><p>${paragraphText(8)}</p><p>${paragraphText(9)}</p></article>`,
    ),
    must: [paragraphText(3), paragraphText(9)],
    mustNot: ["Subscribe now for free"],
  },
];
