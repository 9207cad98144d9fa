import { button, form, type SaidTask } from "./task.ts";

const send = "<button>Send</button>";
const search = form(`<input type=search name=q aria-label=Search><button>Go</button>`);
const signIn = form(
  `<h2>Sign in</h2><label>Email <input name=u></label><label>Password <input type=password name=p></label><button>Sign in</button>`,
);
const join = form(
  `<h2>Join</h2><label>Email <input name=ju></label><label>Password <input type=password name=jp></label><button>Join</button>`,
);
const hover = `<style>.m ul{display:none}.m:hover ul{display:block}</style><nav class=m><a href=#>Products</a><ul><li><a href="#" onclick="say('tea')">Tea</a></ul></nav>`;

/** Tasks that a hasty reader does otherwise than they were said. */
export const trapForms: readonly SaidTask[] = [
  {
    about: "leave a field empty",
    page: form(`<label>Recipient <input name=r></label><label>Amount <input name=a></label><button>Transfer</button>`),
    task: "fill Recipient with Kim, leave Amount empty, click Transfer",
    done: [],
    error: /does not understand "fill Recipient with Kim, leave Amount empty"/,
  },
  {
    about: "unless",
    page: form(
      `<label>Recipient <input name=r></label><label>Amount <input name=a value=9></label><button>Transfer</button>`,
    ),
    task: "fill Recipient with Kim unless Amount is filled, click Transfer",
    done: [],
    error: /does not understand/,
  },
  {
    about: "if, behind a quoted name",
    page: button("Order", "order"),
    task: 'click "Order" if the price is below 5',
    done: [],
    error: /does not understand/,
  },
  {
    about: "when, behind a name",
    page: button("Order", "order"),
    task: "click Order when it is cheaper",
    done: [],
    error: /does not understand/,
  },
  {
    about: "but not",
    page: form(`<label><input type=checkbox name=a>News</label>${send}`),
    task: "check News but not Offers, click Send",
    done: [],
    error: /does not understand/,
  },
  {
    about: "until",
    page: button("Next", "next"),
    task: "click Next until the last page",
    done: [],
    error: /does not understand/,
  },
  {
    about: "a number of times that is too large",
    page: button("Next", "next"),
    task: "click Next 5000 times",
    done: [],
    error: /does not understand/,
  },
  {
    about: "each row",
    page: button("Delete", "delete"),
    task: 'click "Delete" for each row',
    done: [],
    error: /does not understand/,
  },
  {
    about: "a condition in front",
    page: button("Order", "order"),
    task: "if it is cheap, click Order",
    done: [],
    error: /does not understand/,
  },
  {
    about: "a place that is not understood",
    page: button("Delete", "delete"),
    task: 'click "Delete" in the row of "Ada"',
    done: [],
    error: /does not understand/,
  },
  {
    about: "submit with two forms and nothing filled",
    page: form(`<input name=a><button>Order</button>`) + form(`<input name=b><button>Unsubscribe</button>`),
    task: "submit the form",
    done: [],
    error: /ambiguous target: several forms/,
  },
  {
    about: "submit of a form with two buttons",
    page: form(
      `<label>Text <input name=a></label><button name=x value=1>Publish</button><button name=x value=2>Archive</button>`,
    ),
    task: "fill Text with x, submit the form",
    done: [],
    error: /ambiguous target/,
  },
  {
    about: "log-in with only a form to join",
    page: join,
    task: 'log in as "ada" with password "pw"',
    done: [],
    error: /for something else/,
  },
  {
    about: "log-in with only a form to join that does not say so in its button",
    page: form(
      `<h2>Create an account</h2><label>Email <input name=ju></label><label>Password <input type=password name=jp></label><button>Continue</button>`,
    ),
    task: 'log in as "ada" with password "pw"',
    done: [],
    error: /for something else/,
  },
  {
    about: "log-in with only a form to change the password",
    page: form(
      `<label>User <input name=u></label><label>Password <input type=password name=p></label><label>Repeat password <input type=password name=q></label><button>Save</button>`,
    ),
    task: 'log in as "ada" with password "pw"',
    done: [],
    error: /for something else/,
  },
  {
    about: "log-in with two forms that say so",
    page: signIn + signIn,
    task: 'log in as "ada" with password "pw"',
    done: [],
    error: /ambiguous target: several forms/,
  },
  {
    about: "log-in with a form that confirms with the password",
    page: form(`<p>Delete your account?</p><label>Password <input type=password name=p></label><button>Yes</button>`),
    task: 'log in as "ada" with password "pw"',
    done: [],
    error: /for something else/,
  },
  {
    about: "log-in with only a newsletter",
    page: form(`<label>Email <input type=email name=e></label><button>Subscribe</button>`),
    task: 'log in as "ada" with password "pw"',
    done: [],
    error: /no form to log in/,
  },
  {
    about: "search with two searches",
    page: search + form(`<input type=search name=other aria-label="Search orders"><button>Go</button>`),
    task: "search for tea",
    done: [],
    error: /ambiguous target: several fields/,
  },
  {
    about: "a choice of another group",
    page: form(
      `<fieldset><legend>Bread</legend><label><input type=radio name=b value=rye>Rye</label></fieldset><fieldset><legend>Whisky</legend><label><input type=radio name=w value=malt>Malt</label></fieldset>${send}`,
    ),
    task: 'select "Rye" from "Whisky", click Send',
    done: [],
    error: /named "Rye"/,
  },
  {
    about: "an option of two lists",
    page: form(
      `<label>From <select name=f><option>-<option>Oslo</select></label><label>To <select name=t><option>-<option>Oslo</select></label>${send}`,
    ),
    task: "select Oslo, click Send",
    done: [],
    error: /ambiguous target: 2 lists/,
  },
  {
    about: "a label beside a hidden box with a longer name",
    page: `<style>#s{display:none}</style>${form(`<input type=checkbox id=s name=s><label for=s>Newsletter of our partners</label>${send}`)}`,
    task: 'check "Newsletter", click Send',
    done: [],
    error: /named "Newsletter"/,
  },
  {
    about: "a menu without that link",
    page: hover,
    task: 'click "Coffee"',
    done: [],
    error: /no element named "Coffee"/,
  },
  {
    about: "a value that would take the next field with it",
    page: form(`<label>Name <input name=n></label><label>City <input name=c></label>${send}`),
    task: "fill Name with Ada and Bob and City with Rome, click Send",
    done: [],
    error: /does not understand/,
  },
];
