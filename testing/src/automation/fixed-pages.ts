import { htmlDocument } from "./site-pages.ts";

const lines = Array.from({ length: 60 }, (_, index) => `<p>Line ${index + 1}</p>`).join("");
const opens = (text: string): string => `out.textContent='${text}'`;

/** Pages that are always the same, by their paths. */
export const fixedPages: Readonly<Record<string, string>> = {
  "/": htmlDocument(
    "Home",
    `<h1>Home</h1><ul><li><a href="/login">Sign in</a></li><li><a href="/products">Products</a></li>
    <li><a href="/form">Application</a></li><li><a href="/shop">Shop</a></li></ul>`,
  ),
  "/products-app": htmlDocument(
    "Products app",
    `<h1>Products</h1><div id="out"></div><button id="next">Next</button><script>
    let page = 1;
    const row = (n) => "<tr><td>Thing " + (2 * page - 2 + n) + "</td></tr>";
    const show = () => { out.innerHTML = "<table><tr><th>Name</th></tr>" + row(1) + row(2) + "</table>"; next.disabled = page === 3; };
    next.onclick = () => { page += 1; setTimeout(show, 200); };
    setTimeout(show, 300);</script>`,
  ),
  "/repeats": htmlDocument(
    "Repeats",
    `<table><tr><th>Name</th></tr><tr><td>Same</td></tr></table><a href="/repeats">Next</a>`,
  ),
  "/circle": htmlDocument("Circle", `<ul><li>one</li></ul><a href="/circle-back">Next</a>`),
  "/circle-back": htmlDocument("Circle", `<ul><li>two</li></ul><a href="/circle">Next</a>`),
  "/busy": htmlDocument(
    "Busy",
    `<h1>Busy</h1><script>setTimeout(() => { const end = Date.now() + 3000; while (Date.now() < end); }, 100);</script>`,
  ),
  "/frames": htmlDocument(
    "Frames",
    `<h1>Frames</h1><iframe title="First" srcdoc="<button onclick='this.textContent=&quot;Done&quot;'>Press</button>"></iframe>
    <iframe title="Second" srcdoc="<label>Note <input></label><button onclick='this.textContent=&quot;Done&quot;'>Press</button>
    <ul><li>in frame one</li><li>in frame two</li></ul>"></iframe>`,
  ),
  "/shadow": htmlDocument(
    "Shadow",
    `<h1>Shadow</h1><x-card></x-card><output id="out"></output><script>
    const root = document.querySelector("x-card").attachShadow({ mode: "open" });
    root.innerHTML = "<label>Note <input></label><button>Keep</button><ul><li>shaded one</li><li>shaded two</li></ul>";
    root.querySelector("button").onclick = () => { out.textContent = "kept " + root.querySelector("input").value; };</script>`,
  ),
  "/popup": htmlDocument(
    "Popup",
    `<h1>Popup</h1><a href="/opened" target="_blank">Open a tab</a><button onclick="window.open('/opened')">Open a window</button>`,
  ),
  "/opened": htmlDocument("Opened", "<h1>Opened</h1><p>A page of its own.</p>"),
  "/late": htmlDocument(
    "Late",
    `<h1>Late</h1><p id="p"></p><script>setTimeout(() => { p.innerHTML = "<button>Late one</button> and words"; }, 700);</script>`,
  ),
  "/dialog": htmlDocument(
    "Dialog",
    `<button onclick="${opens("page")}">Confirm</button><dialog open style="position:fixed;top:100px">
    <button onclick="${opens("dialog")}">Confirm</button></dialog><output id="out"></output>`,
  ),
  "/covered": htmlDocument(
    "Covered",
    `<button>Under</button><div style="position:fixed;inset:0;background:#0008"></div>`,
  ),
  "/names": htmlDocument(
    "Names",
    `<button>Sign up</button><button>Delete all</button><a href="/opened">Learn more</a>
    <button onclick="document.title='pressed'">Say "it's" \\ a &gt;&gt; b {{x}}</button>
    <div><span>Plain words</span><div style="cursor:pointer" onclick="document.title='plain'">Press me plainly</div></div>`,
  ),
  "/twins": htmlDocument("Twins", `<form><button>Go</button></form><form><button>Go</button></form>`),
  "/boxes": htmlDocument(
    "Boxes",
    `<style>.real{opacity:0;position:absolute;width:40px;height:40px}.face{display:inline-block;position:relative;z-index:1;background:#ccc;width:60px;height:60px}</style>
    <p><input type="checkbox" class="real" aria-label="Drawn"><span class="face"></span></p>
    <div role="combobox" aria-label="Colour" tabindex="0" onclick="opts.hidden=false">Choose</div>
    <div id="opts" role="listbox" hidden>
      <div role="option" onclick="document.title='red';opts.hidden=true">Red</div>
      <div role="option" onclick="document.title='blue';opts.hidden=true">Blue</div></div>`,
  ),
  "/long": htmlDocument("Long", `<h1>Long</h1>${lines}<button>At the end</button>`),
  "/fetches": htmlDocument(
    "Fetches",
    `<button onclick="fetch('/slow').then(() => { document.title = 'Fetched'; })">Fetch</button>`,
  ),
  "/lists": htmlDocument(
    "Lists",
    `<nav><ul><li><a href="/">Home</a></li><li><a href="/form">Form</a></li><li>three</li><li>four</li></ul></nav>
    <main><h2>Fruits</h2><ul><li>Apple</li><li>Pear</li></ul>
    <p>See <a href="/opened?x=1">this page</a>, <a href="javascript:void 0">nothing</a>.</p>
    <table><caption>Small</caption><tr><th>A</th><th>B</th></tr><tr><td>1</td><td>2</td></tr></table>
    <table><caption>Large</caption>
      <thead><tr><th rowspan="2">Town</th><th colspan="2">People</th></tr><tr><th>Old</th><th>Old</th></tr></thead>
      <tbody><tr><th scope="row">Rome</th><td>1</td><td>2</td></tr><tr><td>Oslo</td><td colspan="2">3</td></tr></tbody>
      <tfoot><tr><td>Sum</td><td>6</td><td>7</td></tr></tfoot></table></main>`,
  ),
  "/product": htmlDocument(
    "Blue lamp",
    `<script type="application/ld+json">{"@context":"https://schema.org","@type":"Product","name":"Blue lamp",
    "offers":{"@type":"Offer","price":"49.90","priceCurrency":"EUR"}}</script>
    <main><h1>Blue lamp</h1><p>A lamp that is blue. It stands on the desk and gives a warm light in the evening.</p></main>`,
  ),
};
