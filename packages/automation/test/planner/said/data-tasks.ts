import type { SaidTask } from "./task.ts";

const table = (caption: string, price: number): string =>
  `<table>${caption === "" ? "" : `<caption>${caption}</caption>`}<tr><th>Name<th>Price (€)<th>Stock<tr><td>Tea<td>${price}<td>4<tr><td>Coffee<td>${price + 1}<td>7</table>`;
const tea = [
  { name: "Tea", price: "3" },
  { name: "Coffee", price: "4" },
];
const rows = (price: number): unknown => [
  { Name: "Tea", "Price (€)": String(price), Stock: "4" },
  { Name: "Coffee", "Price (€)": String(price + 1), Stock: "7" },
];

/** Tasks that read what a page shows under names. */
export const plainData: readonly SaidTask[] = [
  { about: "the only table", page: table("", 3), task: "extract the table", done: [], data: [rows(3)] },
  {
    about: "a table by its caption",
    page: table("Shop", 3) + table("Store", 5),
    task: 'extract the "Store" table',
    done: [],
    data: [rows(5)],
  },
  {
    about: "a table by the heading before it",
    page: `<h2>Shop</h2><p>Today</p>${table("", 3)}<h2>Store</h2>${table("", 5)}`,
    task: 'extract the table named "Store"',
    done: [],
    data: [rows(5)],
  },
  {
    about: "the table of the main content",
    page: `<main>${table("", 3)}</main><aside>${table("", 5)}</aside>`,
    task: "extract the table",
    done: [],
    data: [rows(3)],
  },
  {
    about: "a table beside one for layout",
    page: `<table><tr><td><form><table><tr><td>Search<td><input></table></form></table>${table("", 3)}`,
    task: "extract the table",
    done: [],
    data: [rows(3)],
  },
  {
    about: "a list by the heading before it",
    page: "<h2>Fruit</h2><ul><li>Plum<li>Pear</ul><h2>Herbs</h2><ul><li>Mint<li>Sage<li>Dill</ul>",
    task: 'extract the "Fruit" list',
    done: [],
    data: [["Plum", "Pear"]],
  },
  {
    about: "a list of objects by the names of columns",
    page: table("", 3).replace("Price (€)", "Price"),
    task: "get the name and price of each row",
    done: [],
    data: [tea],
  },
  {
    about: "a list of objects by the names of columns, in quotation marks",
    page: table("", 3),
    task: 'extract "Name" and "Price (€)" of all products',
    done: [],
    data: [tea.map(({ name, price }) => ({ name, price }))],
  },
  {
    about: "a list of objects with columns, of the one table that has them",
    page: `<table><tr><th>Day<th>Open<tr><td>Monday<td>9<tr><td>Sunday<td>-</table>${table("", 3)}`,
    task: "extract the table with the columns name and stock",
    done: [],
    data: [
      [
        { name: "Tea", stock: "4" },
        { name: "Coffee", stock: "7" },
      ],
    ],
  },
  {
    about: "values that stand as label and value",
    page: "<h1>Invoice 12</h1><p>Status: paid</p><p><b>Total:</b> 1,250.50 €</p><p>Due date: 2026-12-01</p>",
    task: "get the status, the total and the due date",
    done: [],
    data: [{ status: "paid", total: "1,250.50 €", due_date: "2026-12-01" }],
  },
  {
    about: "values of a list of definitions",
    page: "<dl><dt>Berth<dd>B 12<dt>Length<dd>9.8 m</dl>",
    task: "get the berth and the length",
    done: [],
    data: [{ berth: "B 12", length: "9.8 m" }],
  },
  {
    about: "values of rows with a label",
    page: "<table><tr><th scope=row>Captain<td>Ada<tr><th scope=row>Crew<td>4</table>",
    task: "get the captain and the crew",
    done: [],
    data: [{ captain: "Ada", crew: "4" }],
  },
];

/** Tasks whose names mean several things, or nothing. */
export const trapData: readonly SaidTask[] = [
  {
    about: "two tables",
    page: table("Shop", 3) + table("Store", 5),
    task: "extract the table",
    done: [],
    error: /ambiguous target: 2 tables.*"Shop", "Store"/,
  },
  {
    about: "two tables below one heading",
    page: `<h2>Store</h2>${table("", 3)}${table("", 5)}`,
    task: 'extract the "Store" table',
    done: [],
    error: /ambiguous target: 2/,
  },
  {
    about: "a table with a longer name",
    page: table("Store of 2025", 3),
    task: 'extract the "Store" table',
    done: [],
    error: /no table named "Store".*Store of 2025/s,
  },
  {
    about: "a label with a longer name",
    page: "<p>Total weight: 12 kg</p><p>Status: new</p>",
    task: "get the total and the status",
    done: [],
    error: /./,
  },
  {
    about: "two values of one label",
    page: "<p>Total: 12</p><p>Total: 14</p>",
    task: "get the total",
    done: [],
    error: /ambiguous: 2 values stand beside "total"/,
  },
  {
    about: "a column with a longer name",
    page: table("", 3).replace("Stock", "Stock value"),
    task: "get the name and stock of each row",
    done: [],
    error: /./,
  },
  {
    about: "two tables with the columns",
    page: table("", 3) + table("", 5),
    task: "get the name and stock of each row",
    done: [],
    error: /ambiguous: 2 tables/,
  },
  {
    about: "rows of all pages",
    page: table("", 3),
    task: "get the name and stock of each row from all pages",
    done: [],
    data: [
      [
        { name: "Tea", stock: "4" },
        { name: "Coffee", stock: "7" },
      ],
    ],
  },
];
