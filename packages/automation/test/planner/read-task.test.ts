import { describe, expect, test } from "vitest";
import type { Instruction } from "../../src/planner/instruction.ts";
import { readClause, readClauses } from "../../src/planner/read-clause.ts";
import { readTask } from "../../src/planner/read-task.ts";
import { splitTask } from "../../src/planner/split-task.ts";

describe("a task is split into clauses", () => {
  const cases: readonly [string, readonly string[]][] = [
    ["Open example.com", ["Open example.com"]],
    [
      "Open https://a.example/x,y?q=1, click Next and extract the table",
      ["Open https://a.example/x,y?q=1", "click Next", "extract the table"],
    ],
    [
      "open http://127.0.0.1:8080/login. Log in as ada with password love.",
      ["open http://127.0.0.1:8080/login", "Log in as ada with password love"],
    ],
    ['Click "Save, then close" and then press Enter', ['Click "Save, then close"', "press Enter"]],
    ["fill Name with Ada and Bob, fill City with London", ["fill Name with Ada and Bob", "fill City with London"]],
    [
      "First, open a.example; then search for tea\nfinally get the name, price and availability",
      ["open a.example", "search for tea", "get the name, price and availability"],
    ],
    [
      'Open   a.example ,\u00A0 click  "Save  as, then\nclose" ;\n\n  press   Enter',
      ["Open a.example", 'click "Save  as, then\nclose"', "press Enter"],
    ],
    ['Open http://a.example/?q="a, b", click Next', ['Open http://a.example/?q="a, b"', "click Next"]],
    ["click “one “two, click three” four", ["click “one “two, click three” four"]],
    ["1. Open a.example\n2. click Next\n 3) press Enter", ["Open a.example", "click Next", "press Enter"]],
    ["- Open a.example\n- fill Count with 3\n• click Next", ["Open a.example", "fill Count with 3", "click Next"]],
    ["   ", []],
  ];
  test.each(cases)("%s", (task, clauses) => expect(splitTask(task)).toEqual(clauses));
});

describe("a clause is read", () => {
  const cases: readonly [string, Instruction][] = [
    ["Open https://a.example/x", { verb: "open", url: "https://a.example/x" }],
    ["go to the page a.example/list?p=2", { verb: "open", url: "https://a.example/list?p=2" }],
    ["visit 127.0.0.1:8080/a", { verb: "open", url: "http://127.0.0.1:8080/a" }],
    ["Open about:blank", { verb: "open", url: "about:blank" }],
    ["go back", { verb: "back" }],
    ["click on the Save button", { verb: "click", name: "Save", role: "button" }],
    ['click "Read more"', { verb: "click", name: "Read more" }],
    ["press Enter", { verb: "press", key: "Enter" }],
    ["hit the Escape key", { verb: "press", key: "Escape" }],
    ["press Save", { verb: "click", name: "Save" }],
    ['fill in the "First name" field with "Ada"', { verb: "fill", field: "First name", value: "Ada" }],
    ['fill "Reply to all" with "a  as b"', { verb: "fill", field: "Reply to all", value: "a  as b" }],
    ['set Width to 5" and 6"', { verb: "fill", field: "Width", value: '5" and 6"' }],
    ["fill   Full   name   with   Ada", { verb: "fill", field: "Full name", value: "Ada" }],
    ["enter 42 into the Age box", { verb: "fill", field: "Age", value: "42" }],
    ["type hello world in Message", { verb: "fill", field: "Message", value: "hello world" }],
    ["set City to London", { verb: "fill", field: "City", value: "London" }],
    ["select Blue from the Colour dropdown", { verb: "select", option: "Blue", field: "Colour" }],
    ["choose Express", { verb: "select", option: "Express" }],
    ["read the headings", { verb: "extract-elements", of: "headings" }],
    ["list all buttons from the page", { verb: "extract-elements", of: "buttons" }],
    ["get the section titles of all pages", { verb: "extract-elements", of: "headings", pages: 50 }],
    ["get the heading and the price", { verb: "extract-data", properties: ["heading", "price"] }],
    ["upload report.pdf", { verb: "upload", files: ["report.pdf"] }],
    [
      "upload the file report.pdf to the Attachment field",
      { verb: "upload", files: ["report.pdf"], field: "Attachment" },
    ],
    ['attach "a to b.pdf" to "Files to send"', { verb: "upload", files: ["a to b.pdf"], field: "Files to send" }],
    [
      "upload a.pdf, b.pdf and c.pdf to Pictures",
      { verb: "upload", files: ["a.pdf", "b.pdf", "c.pdf"], field: "Pictures" },
    ],
    ["choose the file a.pdf for Passport", { verb: "upload", files: ["a.pdf"], field: "Passport" }],
    ["tick Newsletter", { verb: "check", name: "Newsletter", checked: true }],
    ["uncheck the Terms checkbox", { verb: "check", name: "Terms", checked: false }],
    ["search for green tea", { verb: "search", value: "green tea" }],
    ["log in as ada with password p w", { verb: "log-in", user: "ada", password: "p w" }],
    [
      "sign in with user ada@x.example and password secret",
      { verb: "log-in", user: "ada@x.example", password: "secret" },
    ],
    ["log in as ada, with password pw", { verb: "log-in", user: "ada", password: "pw" }],
    ['log in as "a with b",and the password "c and d"', { verb: "log-in", user: "a with b", password: "c and d" }],
    ["submit the form", { verb: "submit" }],
    ["scroll to the bottom of the page", { verb: "scroll", to: "bottom" }],
    ["wait 2 seconds", { verb: "wait", seconds: 2 }],
    ["wait for 2 minutes", { verb: "wait", seconds: 120 }],
    ["wait 500 ms", { verb: "wait", seconds: 0.5 }],
    ['wait for "Ready"', { verb: "wait-for", text: "Ready" }],
    ["extract the table", { verb: "extract", kind: "table" }],
    ['extract the "Prices of all pages" table', { verb: "extract", kind: "table", named: "Prices of all pages" }],
    ["extract the table named Prices from all pages", { verb: "extract", kind: "table", named: "Prices", pages: 50 }],
    ["extract the table from the first 3 pages", { verb: "extract", kind: "table", pages: 3 }],
    ["get all links", { verb: "extract", kind: "links" }],
    ["read the page", { verb: "extract", kind: "text" }],
    ["get the text of the main article", { verb: "extract", kind: "text" }],
    ['search for "buy, and sell"', { verb: "search", value: "buy, and sell" }],
    [
      "get the name, the price and the availability",
      { verb: "extract-data", properties: ["name", "price", "availability"] },
    ],
  ];
  test.each(cases)("%s", (clause, instruction) => expect(readClause(clause)).toEqual(instruction));

  const beyond = [
    "Find the cheapest flight",
    "open the third result",
    "buy a ticket",
    "summarise it",
    "click",
    "open file:///etc/passwd",
    // What would be taken for a part of a value: it would not be done, and nobody would be told.
    "search for tea and add the first result to the cart",
    'search for "tea" or "coffee"',
    "fill Name with Ada, City with Rome, leave Amount empty",
    "fill Name with salt and pepper and City with Rome",
    "fill Name with Ada but do not save",
    'type "a" and "b" into Name',
    "log in as ada with password pw and remember me",
    // A part of a page, of which the whole would be told.
    'get the content of "Section 2"',
  ];
  test.each(beyond)("%s: is beyond the planner", (clause) => expect(readClause(clause)).toBeUndefined());
});

function fill(field: string, value: string): Instruction {
  return { verb: "fill", field, value };
}

describe("a clause that says the same of several things is read as several", () => {
  const cases: readonly [string, readonly Instruction[]][] = [
    ['fill "Name" with "Ada" and "Email" with "ada@x.example"', [fill("Name", "Ada"), fill("Email", "ada@x.example")]],
    [
      "fill in Name with Ada, Email with ada@x.example and City with Rome",
      [fill("Name", "Ada"), fill("Email", "ada@x.example"), fill("City", "Rome")],
    ],
    ["set A to 1,000 and B to 2", [fill("A", "1,000"), fill("B", "2")]],
    ["fill Name with Ada and Bob", [fill("Name", "Ada and Bob")]],
    ["enter Ada into Name and Rome into City", [fill("Name", "Ada"), fill("City", "Rome")]],
    [
      'select "Red" from Colour and "L" from "Size"',
      [
        { verb: "select", option: "Red", field: "Colour" },
        { verb: "select", option: "L", field: "Size" },
      ],
    ],
    [
      'check "News" and the "Terms" checkbox',
      [
        { verb: "check", name: "News", checked: true },
        { verb: "check", name: "Terms", checked: true },
      ],
    ],
    ["check Terms and conditions", [{ verb: "check", name: "Terms and conditions", checked: true }]],
    ['click "+" 3 times', Array.from({ length: 3 }, () => ({ verb: "click", name: "+" }))],
    ["press ArrowDown twice", Array.from({ length: 2 }, () => ({ verb: "press", key: "ArrowDown" }))],
    ['click "Ring 3 times"', [{ verb: "click", name: "Ring 3 times" }]],
  ];
  test.each(cases)("%s", (clause, instructions) => expect(readClauses(clause)).toEqual(instructions));
});

describe("a clause that sets a condition, or takes something out, is refused as a whole", () => {
  test.each([
    "fill Recipient with Kim, leave Amount empty",
    "fill Recipient with Kim unless Amount is filled",
    "fill Recipient with Kim if it is empty",
    "fill Recipient with Kim but not Amount",
    "fill Recipient with Kim until it fits",
    "fill Recipient with Kim without clicking Transfer",
    "fill Recipient with Kim, Lee",
    "set Amount to 5 except on Sundays",
    "enter Kim into Recipient when asked",
    'fill "Recipient" with "Kim" unless "Amount" is filled',
    'click "Order" if the price is below 5',
    'click "Order" for each row',
    'click "Delete" on every row',
    "click Order, wipe the rest",
    "click Order when ready",
    "click Next until the end",
    "click if it is cheap",
    "click Order and do not confirm",
    "click the first Delete button if there are two",
    'click "Order" in "Row 3"',
    'click "Order" slowly',
    "click Next a few times each time",
    'check "Terms" three times',
    "fill Name with Ada twice",
    "check Newsletter but skip Terms",
    "check that the total is 5",
    "check whether it is there",
    "uncheck all but Terms",
    'select "Large" from "Size" unless sold out',
    "select Large, Small from Size",
    "search for tea, skip the advertisements",
    "search for tea unless it is late",
    "log in as ada if needed with password pw",
    "log in as ada with password pw unless logged in",
    "get the price if it is lower",
    "extract the table named Prices but keep the first row",
    "wait for Ready unless it fails",
    "click Order 1000 times",
    "click Order at most once",
  ])("%s", (clause) => expect(readClauses(clause)).toBeUndefined());

  test.each<[string, Instruction]>([
    ["click Skip", { verb: "click", name: "Skip" }],
    ["click Keep me signed in", { verb: "click", name: "Keep me signed in" }],
    ["click the Repeat button", { verb: "click", name: "Repeat", role: "button" }],
    ["click Leave", { verb: "click", name: "Leave" }],
    ['click "Leave if empty, or skip"', { verb: "click", name: "Leave if empty, or skip" }],
    ["select Leave at door from Delivery", { verb: "select", option: "Leave at door", field: "Delivery" }],
    ["fill Answer with skip", { verb: "fill", field: "Answer", value: "skip" }],
    ['fill Note with "leave it, unless it rains"', { verb: "fill", field: "Note", value: "leave it, unless it rains" }],
    ["fill Amount with 1,250.50", { verb: "fill", field: "Amount", value: "1,250.50" }],
    ['click the button "Save"', { verb: "click", name: "Save", role: "button" }],
    ['click the link called "Terms"', { verb: "click", name: "Terms", role: "link" }],
    ['fill the field "Name" with Ada', { verb: "fill", field: "Name", value: "Ada" }],
    ["hover over the Products menu", { verb: "hover", name: "Products", role: "button" }],
  ])("%s is understood", (clause, instruction) => expect(readClauses(clause)).toEqual([instruction]));
});

test("a task of which one clause is not understood is refused as a whole", () => {
  expect(() => readTask("Open a.example, fill Recipient with Kim, leave Amount empty, click Transfer")).toThrow(
    'does not understand "fill Recipient with Kim, leave Amount empty"',
  );
});

test("the error for an unknown clause does not contain its password", () => {
  expect(() => readTask("log in with user ada password hunter2 somehow")).toThrow(/log in with user ada password •••/);
});
