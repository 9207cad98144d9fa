import { form, type SaidTask } from "./task.ts";

const send = "<button>Send</button>";
const search = form(`<input type=search name=q aria-label=Search><button>Go</button>`);
const signIn = form(
  `<h2>Sign in</h2><label>Email <input name=u></label><label>Password <input type=password name=p></label><button>Sign in</button>`,
);
const join = form(
  `<h2>Join</h2><label>Email <input name=ju></label><label>Password <input type=password name=jp></label><button>Join</button>`,
);
const box =
  ".s input{opacity:0;width:0;height:0;position:absolute}.s span{display:inline-block;width:40px;height:20px;background:#ccc}";
const card = (style: string): string =>
  `<style>input{${style}}label{display:block;border:1px solid;padding:9px}</style>${form(`<fieldset><legend>Delivery</legend><input type=radio name=d id=a value=std checked><label for=a>Standard</label><input type=radio name=d id=b value=exp><label for=b><b>Express</b><br><small>Two days</small></label></fieldset>${send}`)}`;
const hover = `<style>.m ul{display:none}.m:hover ul{display:block}</style><nav class=m><a href=#>Products</a><ul><li><a href="#" onclick="say('tea')">Tea</a></ul></nav>`;

/** Tasks in plain words on plain forms. */
export const plainForms: readonly SaidTask[] = [
  {
    about: "several fields in one clause",
    page: form(`<label>Name <input name=n></label><label>City <input name=c></label>${send}`),
    task: "fill Name with Ada and City with Rome, click Send",
    done: ["n=Ada&c=Rome"],
  },
  {
    about: "several fields in one clause, in quotation marks",
    page: form(
      `<label>Name <input name=n></label><label>City <input name=c></label><label>Age <input name=a></label>${send}`,
    ),
    task: 'fill "Name" with "Ada", "City" with "Rome" and "Age" with "36", then click "Send"',
    done: ["n=Ada&c=Rome&a=36"],
  },
  {
    about: "a choice by the legend of its group",
    page: form(
      `<fieldset><legend>Bread</legend><label><input type=radio name=b value=rye>Rye</label></fieldset><fieldset><legend>Whisky</legend><label><input type=radio name=w value=rye>Rye</label></fieldset>${send}`,
    ),
    task: 'select "Rye" from "Whisky", click Send',
    done: ["w=rye"],
  },
  {
    about: "a choice of a named group, in the words of a field",
    page: form(
      `<div role=radiogroup aria-label=Size><label><input type=radio name=s value=m>M</label><label><input type=radio name=s value=l>L</label></div>${send}`,
    ),
    task: "set Size to L, click Send",
    done: ["s=l"],
  },
  {
    about: "an option in the words of a field",
    page: form(`<label>Size <select name=s><option>S<option>L</select></label>${send}`),
    task: 'fill "Size" with "L", click Send',
    done: ["s=L"],
  },
  {
    about: "an option without its list",
    page: form(`<label>Size <select name=s><option>S<option>L</select></label>${send}`),
    task: "select L, click Send",
    done: ["s=L"],
  },
  {
    about: "an option with a count",
    page: form(`<label>Size <select name=s><option value=s>S (2)<option value=l>L (14)</select></label>${send}`),
    task: "select L from Size, click Send",
    done: ["s=l"],
  },
  {
    about: "several boxes",
    page: form(
      `<label><input type=checkbox name=a>News</label><label><input type=checkbox name=b>Offers</label>${send}`,
    ),
    task: 'check "News" and "Offers", click Send',
    done: ["a=on&b=on"],
  },
  {
    about: "submit sends the form of the field that was filled last",
    page: `<header>${search}</header><main>${form(`<label>Message <textarea name=m></textarea></label><button>Send it</button>`)}</main>`,
    task: 'fill "Message" with "Hello" and submit the form',
    done: ["m=Hello"],
  },
  {
    about: "submit of a form without a button",
    page: `<header>${search}</header>${form("<label>Code <input name=c></label>")}`,
    task: "fill Code with 12, submit",
    done: ["c=12"],
  },
  {
    about: "submit beside other buttons of the form",
    page: form(
      `<label>Note <input name=n></label><button type=button onclick="say('help')">Help</button><button name=x value=cancel>Cancel</button><button>Save</button>`,
    ),
    task: "fill Note with x, submit the form",
    done: ["n=x"],
  },
  {
    about: "submit of the only form",
    page: form(`<input type=hidden name=a value=1><button>Confirm</button>`),
    task: "submit the form",
    done: ["a=1"],
  },
  {
    about: "a button outside of its form",
    page: `${form("<label>Note <input name=n></label>", "id=f")}<button form=f>Save</button>${form("<button>Other</button>")}`,
    task: "fill Note with x, submit the form",
    done: ["n=x"],
  },
  {
    about: "log-in",
    page: signIn,
    task: 'log in as "ada@x.example" with password "pw"',
    done: ["u=ada@x.example&p=pw"],
  },
  {
    about: "log-in beside a form to join",
    page: join + signIn,
    task: 'log in as "ada@x.example" with password "pw"',
    done: ["u=ada@x.example&p=pw"],
  },
  {
    about: "log-in beside a search",
    page: search + signIn,
    task: 'log in as "ada" with password "pw"',
    done: ["u=ada&p=pw"],
  },
  {
    about: "log-in beside other ways to sign in",
    page: form(
      `<label>User <input name=u></label><label>Password <input type=password name=p></label><button type=button onclick="say('show')">Show</button><button>Sign in</button><button type=button onclick="say('google')">Sign in with Google</button>`,
    ),
    task: 'log in as "ada" with password "pw"',
    done: ["u=ada&p=pw"],
  },
  {
    about: "log-in in German",
    page: form(
      `<label>Benutzername <input name=u></label><label>Passwort <input type=password name=p></label><button>Anmelden</button>`,
    ),
    task: 'log in as "ada" with password "pw"',
    done: ["u=ada&p=pw"],
  },
  {
    about: "log-in in two steps on one page",
    page: `<form onsubmit="event.preventDefault(); say('user ' + u.value); this.hidden = true; two.hidden = false"><label>Email <input id=u type=email></label><button>Next</button></form><form id=two hidden action=DID><label>Password <input type=password name=p></label><button>Sign in</button></form>`,
    task: 'log in as "ada@x.example" with password "pw"',
    done: ["user ada@x.example", "p=pw"],
  },
  {
    about: "log-in in two steps, with a newsletter below",
    page: `<form onsubmit="event.preventDefault(); this.outerHTML = '<form action=DID><label>Password <input type=password name=p></label><button>Continue</button></form>'"><label>Username <input></label><button>Continue</button></form>${form("<label>Your email <input type=email name=e></label><button>Subscribe</button>")}`,
    task: 'log in as "ada" with password "pw"',
    done: ["p=pw"],
  },
  {
    about: "a switch without size",
    page: `<style>${box}</style>${form(`<label class=s><input type=checkbox name=s><span></span> Newsletter</label>${send}`)}`,
    task: 'check "Newsletter", click Send',
    done: ["s=on"],
  },
  {
    about: "a switch that is not displayed",
    page: `<style>#s{display:none}</style>${form(`<input type=checkbox id=s name=s checked><label for=s>Newsletter</label><label><input type=checkbox name=t checked>Terms</label>${send}`)}`,
    task: 'uncheck "Newsletter", click Send',
    done: ["t=on"],
  },
  {
    about: "cards whose boxes are not displayed",
    page: card("display:none"),
    task: 'select "Express", click Send',
    done: ["d=exp"],
  },
  {
    about: "cards whose boxes have no size",
    page: card("appearance:none;width:0;height:0;position:absolute;opacity:0"),
    task: 'select "Express" from "Delivery", click Send',
    done: ["d=exp"],
  },
  {
    about: "a card around a box that is not displayed",
    page: form(
      `<div style="cursor:pointer" onclick="x.checked = !x.checked"><input type=checkbox id=x name=x style="display:none"><h3>Insurance</h3><p>For two weeks</p></div>${send}`,
    ),
    task: 'check "Insurance", click Send',
    done: ["x=on"],
  },
  {
    about: "a menu that shows while it is pointed at",
    page: hover,
    task: 'hover over "Products", click "Tea"',
    done: ["tea"],
  },
  { about: "a link in a menu that is closed", page: hover, task: 'click "Tea"', done: ["tea"] },
  {
    about: "a value with a comma between digits",
    page: form(`<label>Amount <input name=a></label>${send}`),
    task: "fill Amount with 1,250, click Send",
    done: ["a=1,250"],
  },
  {
    about: "a value in quotation marks that reads like a condition",
    page: form(`<label>Note <input name=a></label>${send}`),
    task: 'fill Note with "call, unless it rains", click Send',
    done: ["a=call, unless it rains"],
  },
  { about: "search with two fields of one search", page: search + search, task: "search for tea", done: ["q=tea"] },
];
