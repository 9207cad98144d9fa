import { button, form, type SaidTask } from "./task.ts";

const name = "<label>Name <input name=n></label>";
const send = "<button>Send</button>";

/** Tasks whose names the page has, with what pages add to them. */
export const plainNames: readonly SaidTask[] = [
  { about: "other case", page: button("ORDER", "order"), task: 'click "Order"', done: ["order"] },
  { about: "an arrow behind", page: button("Next →", "next"), task: 'click "Next"', done: ["next"] },
  { about: "an icon in front", page: button("🛒 Add to basket", "add"), task: 'click "Add to basket"', done: ["add"] },
  {
    about: "an icon font's ligature",
    page: button("<i class=material-icons>delete</i> Remove", "remove"),
    task: 'click "Remove"',
    done: ["remove"],
  },
  { about: "a count in brackets", page: button("Basket (3)", "basket"), task: 'click "Basket"', done: ["basket"] },
  {
    about: "a badge",
    page: `<style>.b{background:red;border-radius:9px}</style>${button("Inbox <span class=b>4</span>", "inbox")}`,
    task: 'click "Inbox"',
    done: ["inbox"],
  },
  { about: "dots", page: button("Save as…", "save"), task: 'click "Save as"', done: ["save"] },
  {
    about: "a colon",
    page: form(`<label>Name: <input name=n></label>${send}`),
    task: "fill Name with Ada, click Send",
    done: ["n=Ada"],
  },
  {
    about: "a mark for required",
    page: form(`<label>Name <span class=req>*</span> <input name=n required></label>${send}`),
    task: "fill Name with Ada, click Send",
    done: ["n=Ada"],
  },
  {
    about: "a word for required in German",
    page: form(`<label for=a>E-Mail (Pflichtfeld)</label> <input id=a name=n>${send}`),
    task: 'fill "E-Mail" with "ada@x.example", click Send',
    done: ["n=ada@x.example"],
  },
  {
    about: "a word for optional",
    page: form(`<label for=a>Phone <em>optional</em></label> <input id=a name=n>${send}`),
    task: 'fill "Phone" with "12", click Send',
    done: ["n=12"],
  },
  {
    about: "a hint below a label",
    page: form(`<label>Email<br><small>We never share it</small><br><input name=n></label>${send}`),
    task: 'fill "Email" with "a@x.example", click Send',
    done: ["n=a@x.example"],
  },
  {
    about: "a hint by its class",
    page: form(`<label for=a>Amount <span class=form-hint>in whole euros</span></label> <input id=a name=n>${send}`),
    task: 'fill "Amount" with "7", click Send',
    done: ["n=7"],
  },
  {
    about: "a placeholder",
    page: form(`<input placeholder="Your name" name=n>${send}`),
    task: 'fill "Your name" with "Ada", click Send',
    done: ["n=Ada"],
  },
  {
    about: "an apostrophe of another form",
    page: button("Don’t ask again", "no"),
    task: `click "Don't ask again"`,
    done: ["no"],
  },
  {
    about: "a minus of another form",
    page: button("−", "less") + button("+", "more"),
    task: 'click "-"',
    done: ["less"],
  },
  {
    about: "a sign as the whole name",
    page: button("−", "less") + button("+", "more"),
    task: 'click "+" 3 times',
    done: ["more", "more", "more"],
  },
  {
    about: "the whole name beside a longer one",
    page: button("Cancel order", "cancel") + button("Order", "order"),
    task: 'click "Order"',
    done: ["order"],
  },
  {
    about: "a card that is a link, by its heading",
    page: `<a href="DID?tea"><h3>Green tea</h3><p>From Japan, 4.20</p></a> <a href="DID?coffee"><h3>Coffee</h3><p>From Peru, 5.10</p></a>`,
    task: 'click "Green tea"',
    done: ["tea"],
  },
  {
    about: "a title on an icon",
    page: button("🗑", "delete", 'title="Delete row"'),
    task: 'click "Delete row"',
    done: ["delete"],
  },
  {
    about: "an alternative text",
    page: `<a href="DID?home"><img alt="Home" width=20 height=20></a>`,
    task: 'click "Home"',
    done: ["home"],
  },
  {
    about: "a text with a pointer",
    page: `<div style="cursor:pointer" onclick="say('more')">Show more</div>`,
    task: 'click "Show more"',
    done: ["more"],
  },
  {
    about: "a text with a listener",
    page: `<div id=m>Show more</div><script>m.addEventListener("click", () => say("more"))</script>`,
    task: 'click "Show more"',
    done: ["more"],
  },
  {
    about: "an enabled one of two",
    page: button("Buy", "no", "disabled") + button("Buy", "buy"),
    task: "click Buy",
    done: ["buy"],
  },
  {
    about: "a button of the form, and a link of its name",
    page: `<nav><a href="DID?nav">Sign up</a></nav>${form(`${name}<button>Sign up</button>`)}`,
    task: 'fill "Name" with "Ada", click "Sign up"',
    done: ["n=Ada"],
  },
  {
    about: "a button by its role, and a link of its name",
    page: `<a href="DID?link">Search</a>${button("Search", "button")}`,
    task: "click the Search button",
    done: ["button"],
  },
  { about: "the whole word Skip", page: button("Skip", "skip"), task: "click Skip", done: ["skip"] },
  {
    about: "a name that begins with keep",
    page: form(`<label><input type=checkbox name=k>Keep me signed in</label>${send}`),
    task: "check Keep me signed in, click Send",
    done: ["k=on"],
  },
  {
    about: "a name with a comma in quotation marks",
    page: button("Yes, delete it", "yes"),
    task: 'click "Yes, delete it"',
    done: ["yes"],
  },
  {
    about: "a tab",
    page: `<div role=tablist><button role=tab onclick="say('two')">Two</button></div>`,
    task: "click the Two tab",
    done: ["two"],
  },
  {
    about: "a field without any name shown",
    page: form(`<input name="first_name">${send}`),
    task: 'fill "first name" with "Ada", click Send',
    done: ["first_name=Ada"],
  },
  {
    about: "soft hyphens in a name",
    page: button("Versand&shy;kosten", "cost"),
    task: 'click "Versandkosten"',
    done: ["cost"],
  },
];
