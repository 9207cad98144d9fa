/** A table, and what every reader of tables gets of it. */
export interface TableCase {
  /** Description of the table. */
  readonly about: string;
  /** HTML, of which the first table is read. */
  readonly html: string;
  /** Its headers. */
  readonly headers: readonly string[];
  /** The texts of its rows, by column. */
  readonly rows: readonly (readonly string[])[];
}

const grid = (role: string, style = ""): string =>
  `<div role="${role}" aria-label="Ferries"><div role="rowgroup"><div role="row"${style}><span role="columnheader">Pier</span> <span role="columnheader">Leaves</span></div></div>` +
  `<div role="rowgroup"><div role="row"${style}><span role="gridcell">3</span> <span role="gridcell">9:40</span></div><div role="row"${style}><span role="gridcell">4</span> <span role="gridcell">10:05</span></div></div></div>`;
const ferries = { headers: ["Pier", "Leaves"], rows: [["3", "9:40"], ["4", "10:05"]] } as const; // prettier-ignore

/** Tables that readers understood in different ways once: scrapes, structured data and automations have one reader. */
export const tableCases: readonly TableCase[] = [
  {
    about: "headers of two lines",
    html: "<table><thead><tr><th rowspan=2>Line<th colspan=2>Price</tr><tr><th>Adult<th>Child</tr></thead><tbody><tr><td>North<td>5<td>3</tr><tr><td>South<td>6<td>4</tr></table>",
    headers: ["Line", "Price Adult", "Price Child"],
    rows: [["North", "5", "3"], ["South", "6", "4"]],
  }, // prettier-ignore
  {
    about: "headers of two lines without a head",
    html: "<table><tr><th>Line<th colspan=2>Price</tr><tr><th></th><th>Adult<th>Child</tr><tr><td>North<td>5<td>3</tr></table>",
    headers: ["Line", "Price Adult", "Price Child"],
    rows: [["North", "5", "3"]],
  },
  { about: "a grid of roles", html: grid("grid"), ...ferries },
  { about: "a table of roles whose rows make no boxes", html: grid("table", ' style="display:contents"'), ...ferries },
  { about: "a tree grid", html: grid("treegrid"), ...ferries },
  {
    about: "cells of roles that are wrapped, and span",
    html: "<div role=table><div role=row><div><b role=columnheader>Pier</b></div><div><b role=columnheader>Boat</b></div></div><div role=row><div><i role=cell aria-colspan=2>none</i></div></div><div role=row><div><i role=cell>3</i></div><div><i role=cell>Ada</i></div></div></div>",
    headers: ["Pier", "Boat"],
    rows: [["3", "Ada"]],
  },
  {
    about: "a blank corner that is no header cell",
    html: "<table><tr><td></td><th>2024<th>2025</tr><tr><th scope=row>Guests</th><td>10<td>12</tr><tr><th scope=row>Boats</th><td>2<td>3</tr></table>",
    headers: ["", "2024", "2025"],
    rows: [["Guests", "10", "12"], ["Boats", "2", "3"]],
  }, // prettier-ignore
  {
    about: "bold cells in place of headers",
    html: "<table><tr><td><b>Pier</b><td><strong>Boat</strong></tr><tr><td>3<td>Ada</tr><tr><td><b>4</b><td><b>Bob</b></tr></table>",
    headers: ["Pier", "Boat"],
    rows: [["3", "Ada"], ["4", "Bob"]],
  }, // prettier-ignore
  {
    about: "rows that only part it, and headers that come again",
    html: "<table><tr><th>Pier<th>Boat</tr><tr><td colspan=2>Morning</tr><tr><td>3<td>Ada</tr><tr><th>Pier<th>Boat</tr><tr><th colspan=2>Evening</tr><tr><td>4<td>Bob</tr></table>",
    headers: ["Pier", "Boat"],
    rows: [["3", "Ada"], ["4", "Bob"]],
  }, // prettier-ignore
  {
    about: "a title above the headers, and a sum below",
    html: "<table><tr><th colspan=2>Prices of 2025</tr><tr><th>Item<th>Price</tr><tr><td>Tea<td>3</tr><tr><td>Milk<td>1</tr><tfoot><tr><td>Sum<td>4</tr></tfoot></table>",
    headers: ["Item", "Price"],
    rows: [["Tea", "3"], ["Milk", "1"]],
  }, // prettier-ignore
  {
    about: "cells over several rows, one to the end of its group",
    html: "<table><thead><tr><th>Day<th>Boat</thead><tbody><tr><td rowspan=2>Mon<td>Ada</tr><tr><td>Bob</tr></tbody><tbody><tr><td rowspan=0>Tue<td>Cy</tr><tr><td>Di</tr></tbody><tbody><tr><td rowspan=9>Wed<td>Ed</tr></tbody><tbody><tr><td>Thu<td>Flo</tr></tbody></table>",
    headers: ["Day", "Boat"],
    rows: [["Mon", "Ada"], ["Mon", "Bob"], ["Tue", "Cy"], ["Tue", "Di"], ["Wed", "Ed"], ["Thu", "Flo"]],
  }, // prettier-ignore
  {
    about: "a single column",
    html: "<table><tr><th>Boat</tr><tr><td>Ada</tr><tr><td>Bob</tr></table>",
    headers: ["Boat"],
    rows: [["Ada"], ["Bob"]],
  },
  {
    about: "a row that is shorter than the others",
    html: "<table><tr><th>Pier<th>Boat<th>Leaves</tr><tr><td>3<td>Ada</tr><tr><td>4<td>Bob<td>9:40</tr></table>",
    headers: ["Pier", "Boat", "Leaves"],
    rows: [["3", "Ada", ""], ["4", "Bob", "9:40"]],
  }, // prettier-ignore
];
