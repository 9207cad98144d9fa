import { button, form, type SaidTask } from "./task.ts";

const send = "<button>Send</button>";

/** Tasks in plain steps on parts of pages as they are built. */
export const plainPages: readonly SaidTask[] = [
  {
    about: "a floating label",
    page: form(
      `<div><input id=e name=e placeholder="name@mail.example"><label for=e>Email address</label></div>${send}`,
    ),
    task: 'fill "Email address" with "a@x.example", click Send',
    done: ["e=a@x.example"],
  },
  {
    about: "a label with a button for help",
    page: form(`<label for=n>Name <button type=button aria-label=Help>?</button></label><input id=n name=n>${send}`),
    task: "fill Name with Ada, click Send",
    done: ["n=Ada"],
  },
  {
    about: "a mark of a style",
    page: `<style>.r::after{content:" *"}</style>${form(`<label class=r for=n>Name</label><input id=n name=n>${send}`)}`,
    task: "fill Name with Ada, click Send",
    done: ["n=Ada"],
  },
  {
    about: "more that only screen readers hear",
    page: `<style>.visually-hidden{position:absolute;width:1px;height:1px;overflow:hidden;clip:rect(0 0 0 0)}</style><a href="DID?tea">Read more<span class=visually-hidden> about tea</span></a>`,
    task: 'click "Read more"',
    done: ["tea"],
  },
  {
    about: "a label for screen readers beside a text",
    page: button("Add to cart", "tea", 'aria-label="Add tea to cart"'),
    task: 'click "Add to cart"',
    done: ["tea"],
  },
  {
    about: "a key that does the same",
    page: button("Save <kbd>Ctrl+S</kbd>", "save"),
    task: 'click "Save"',
    done: ["save"],
  },
  {
    about: "a tab with a count",
    page: `<div role=tablist>${button("Reviews <span>(12)</span>", "reviews", "role=tab")}</div>`,
    task: 'click "Reviews"',
    done: ["reviews"],
  },
  {
    about: "a menu item with an arrow",
    page: `<div role=menu>${button("Export ▸", "export", "role=menuitem")}</div>`,
    task: "click Export",
    done: ["export"],
  },
  {
    about: "a box with a link in its label",
    page: form(`<label><input type=checkbox name=t> I accept the <a href=#>Terms</a></label>${send}`),
    task: 'check "I accept the Terms", click Send',
    done: ["t=on"],
  },
  {
    about: "fields of several types",
    page: form(
      `<label>Day <input type=date name=d></label><label>Age <input type=number name=a></label><label>Note <textarea name=t></textarea></label>${send}`,
    ),
    task: 'fill "Day" with "2026-12-01", fill Age with 36, fill Note with "a b", click Send',
    done: ["d=2026-12-01&a=36&t=a b"],
  },
  {
    about: "a part that can be edited",
    page: `<div contenteditable aria-label=Message role=textbox id=m></div>${button("Post", "x", "id=b")}<script>b.onclick = () => say(m.textContent)</script>`,
    task: 'fill "Message" with "Hi", click Post',
    done: ["Hi"],
  },
  {
    about: "a dialog in front",
    page: `${button("Delete", "behind")}<dialog open>${button("Delete", "front")}</dialog>`,
    task: "click Delete",
    done: ["front"],
  },
  {
    about: "a frame",
    page: `<iframe srcdoc="<form action='DID' target=_top><label>Name <input name=n></label><button>Send</button></form>"></iframe>`,
    task: "fill Name with Ada, click Send",
    done: ["n=Ada"],
  },
  {
    about: "a shadow root",
    page: `<div id=h></div><script>h.attachShadow({mode:"open"}).innerHTML = "<label>Name <input id=i></label><button>Send</button>"; h.shadowRoot.querySelector("button").onclick = () => say(h.shadowRoot.querySelector("input").value)</script>`,
    task: "fill Name with Ada, click Send",
    done: ["Ada"],
  },
  {
    about: "a button that comes late",
    page: `<div id=p></div><script>setTimeout(() => p.innerHTML = "<button onclick=say('late')>Go on</button>", 1200)</script>`,
    task: "click Go on",
    done: ["late"],
  },
  {
    about: "a summary",
    page: `<details ontoggle="say('open')"><summary>More</summary><p>x</details>`,
    task: "click More",
    done: ["open"],
  },
  {
    about: "a list of a button",
    page: `<button aria-haspopup=listbox onclick="l.hidden=false">Choose size</button><ul role=listbox id=l hidden><li role=option onclick="say('m')">M<li role=option onclick="say('l')">L</ul>`,
    task: 'click "Choose size", click "L"',
    done: ["l"],
  },
  {
    about: "a custom list by its name",
    page: `<label id=n>Size</label><div role=combobox tabindex=0 aria-labelledby=n onclick="l.hidden=false">Choose</div><div role=listbox id=l hidden><div role=option onclick="say('m')">M</div><div role=option onclick="say('l')">L</div></div>`,
    task: 'select "L" from "Size"',
    done: ["l"],
  },
  {
    about: "items without a role",
    page: `<style>li{cursor:pointer}</style><ul><li onclick="say('1')">One<li onclick="say('2')">Two</ul>`,
    task: "click Two",
    done: ["2"],
  },
  {
    about: "the key Enter",
    page: form("<label>City <input name=c></label>"),
    task: "fill City with Rome, press Enter",
    done: ["c=Rome"],
  },
  {
    about: "capitals of a style",
    page: `<button style="text-transform:uppercase" onclick="say('go')">Go on</button>`,
    task: 'click "GO ON"',
    done: ["go"],
  },
  {
    about: "a switch",
    page: `<button role=switch aria-checked=false aria-label=Wi-Fi onclick="this.setAttribute('aria-checked', 'true'); say('on')"></button>`,
    task: 'check "Wi-Fi"',
    done: ["on"],
  },
  {
    about: "two links to one place",
    page: `<a href="DID?c">Contact</a><footer><a href="DID?c">Contact</a></footer>`,
    task: "click Contact",
    done: ["c"],
  },
  {
    about: "buttons of old forms",
    page: form(`<label>Text<br><input name=t></label><input type=submit value="Send message">`),
    task: 'fill "Text" with "x", click "Send message"',
    done: ["t=x"],
  },
  {
    about: "a button without a text of its own",
    page: form(`<label>Text <input name=t></label><input type=submit>`),
    task: "fill Text with x, click Submit",
    done: ["t=x"],
  },
  {
    about: "a picture as a button",
    page: form(`<label>Text <input name=t></label><input type=image alt=Find width=20 height=20>`),
    task: "fill Text with x, submit the form",
    done: ["t=x&x=10&y=10"],
  },
  {
    about: "a label of two parts",
    page: form(`<span id=a>Billing</span><span id=b>Name</span><input aria-labelledby="a b" name=n>${send}`),
    task: 'fill "Billing Name" with "Ada", click Send',
    done: ["n=Ada"],
  },
  {
    about: "a table with fields",
    page: form(`<table><tr><td>Name:<td><input name=n><tr><td>City:<td><input name=c></table>${send}`),
    task: "fill City with Rome and Name with Ada, click Send",
    done: ["n=Ada&c=Rome"],
  },
  {
    about: "a text before a field",
    page: form(`<p>Name <input name=n></p><p>City <input name=c></p>${send}`),
    task: "fill City with Rome, click Send",
    done: ["n=&c=Rome"],
  },
  {
    about: "a field with an example",
    page: form(`<input name=email placeholder="you@mail.example">${send}`),
    task: "fill email with a@x.example, click Send",
    done: ["email=a@x.example"],
  },
  {
    about: "search by its placeholder",
    page: form(`<input name=s placeholder="Search products…">`),
    task: "search for green tea",
    done: ["s=green tea"],
  },
  { about: "search in German", page: form(`<input name=s aria-label=Suche>`), task: "search for Tee", done: ["s=Tee"] },
  {
    about: "a card with a button",
    page: `<article><h3>Tea</h3>${button("Buy", "tea")}</article>`,
    task: "click Buy",
    done: ["tea"],
  },
  {
    about: "a row that is clicked",
    page: `<table><tr style="cursor:pointer" onclick="say('ada')"><td>Ada<td>Oslo<tr style="cursor:pointer" onclick="say('bob')"><td>Bob<td>Rome</table>`,
    task: "click Bob",
    done: ["bob"],
  },
  {
    about: "a card of an application",
    page: `<div style="cursor:pointer" onclick="say('pro')"><p style="font-weight:bold">Pro</p><p>For teams</p></div>`,
    task: "click Pro",
    done: ["pro"],
  },
  {
    about: "a cookie banner first",
    page: `<div role=dialog aria-label=Cookies><button onclick="this.parentNode.remove(); say('no')">Reject all</button></div>${button("Next", "next")}`,
    task: 'click "Reject all", click Next',
    done: ["no", "next"],
  },
  {
    about: "links in several languages",
    page: `<a href="DID?de">Deutsch</a><a href="DID?ja">日本語</a>`,
    task: 'click "日本語"',
    done: ["ja"],
  },
  {
    about: "a log-in outside of a form",
    page: `<div><input id=u placeholder=Username><input id=p type=password placeholder=Password><button onclick="say(u.value + ' ' + p.value); p.remove()">Log in</button></div>`,
    task: "log in as ada with password pw",
    done: ["ada pw"],
  },
  {
    about: "a log-in by the key Enter",
    page: form(
      `<label>User <input name=u></label><label>Password <input type=password name=p></label>`,
      "onkeydown=\"event.key === 'Enter' && this.submit()\"",
    ),
    task: "log in as ada with password pw",
    done: ["u=ada&p=pw"],
  },
];
