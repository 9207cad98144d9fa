import { each, shape, type PageShape } from "./shape.ts";

const teas = [
  { name: "Assam", price: "3.20", stock: "12" },
  { name: "Ceylon", price: "4.10", stock: "7" },
  { name: "Yunnan", price: "9.80", stock: "0" },
];
const moreTeas = [
  { name: "Sencha", price: "8.00", stock: "3" },
  { name: "Yunnan", price: "9.90", stock: "1" },
  { name: "Assam", price: "3.30", stock: "10" },
  { name: "Oolong", price: "7.00", stock: "2" },
];
type Tea = (typeof teas)[number];
const teaRow = ({ name, price, stock }: Tea): string => `<tr><td>${name}<td>${price}<td>${stock}`;

const crew = [
  { name: "Ada Byron", email: "ada@x.example", phone: "+44 20 1234" },
  { name: "Kim Lee", email: "kim@x.example", phone: "+44 20 5678" },
];
const moreCrew = [
  { name: "Lou Reed", email: "lou@x.example", phone: "+44 20 9999" },
  { name: "Ada Byron", email: "ada.b@x.example", phone: "+44 20 1234" },
  { name: "Bo Diddley", email: "bo@x.example", phone: "+44 20 0000" },
];
type Member = (typeof crew)[number];
const emails = (rows: readonly Member[]): unknown => rows.map(({ email }) => email);

const countries = [
  { name: "Chad", capital: "N'Djamena", people: "18,278,568" },
  { name: "Fiji", capital: "Suva", people: "936,375" },
  { name: "Oman", capital: "Muscat", people: "4,644,384" },
];
const moreCountries = [
  { name: "Togo", capital: "Lomé", people: "9,053,799" },
  { name: "Oman", capital: "Muscat", people: "4,700,000" },
];
type Country = (typeof countries)[number];

const trains = [
  { time: "08:10", to: "Bergen", platform: "3" },
  { time: "08:40", to: "Oslo", platform: "–" },
  { time: "09:05", to: "Bergen", platform: "1" },
];
const moreTrains = [
  { time: "10:10", to: "Voss", platform: "2" },
  { time: "11:10", to: "Oslo", platform: "4" },
];
type Train = (typeof trains)[number];

const teams = [
  { team: "Rovers", points: "31" },
  { team: "United", points: "28" },
  { team: "City", points: "28" },
];
const moreTeams = [
  { team: "City", points: "40" },
  { team: "Rovers", points: "39" },
  { team: "Albion", points: "12" },
  { team: "United", points: "3" },
];
type Team = (typeof teams)[number];

export const tableShapes: readonly PageShape[] = [
  shape<Tea>(
    "a table with a row of sums",
    [teas, moreTeas],
    (rows) =>
      `<nav><a href=/a>Home</a></nav><h1>Teas</h1><table><thead><tr><th>Name<th>Price (€)<th>Stock</thead><tbody>${each(rows, teaRow)}<tr><td><b>Total</b><td>99.00<td>19</tbody></table>`,
    [
      ["get the prices", (rows) => rows.map(({ price }) => price), /Total/],
      ["list all names", (rows) => rows.map(({ name }) => name), /Total/],
      ["get the name and price of each tea", (rows) => rows.map(({ name, price }) => ({ name, price })), /Total/],
      ["get the names and stocks", (rows) => rows.map(({ name, stock }) => ({ name, stock })), /Total/],
      ["how many rows are there", (rows) => rows.length, /Total/],
      ["how many rows does the table have?", (rows) => rows.length, /Total/],
      ["get the first two names in the table", (rows) => rows.slice(0, 2).map(({ name }) => name), /Total/],
      ["get the prices of the boats", /boat/],
      ["get the weights in the table", /weight.*Name.*Price/s],
      [
        "list all teas",
        (rows) => rows.map(({ name, price, stock }) => ({ Name: name, "Price (€)": price, Stock: stock })),
        /Total/,
      ],
    ],
  ),
  shape<Tea>(
    "two tables with prices",
    [teas, moreTeas],
    (rows) =>
      `<h1>Tea</h1><h2>Retail</h2><table><tr><th>Name<th>Price<th>Stock${each(rows, teaRow)}</table><h2>Wholesale</h2><table><tr><th>Name<th>Price<th>Stock${each(rows, ({ name, stock }) => teaRow({ name, stock, price: "1.00" }))}<tfoot><tr><td>Sum<td>3.00<td>4</table>`,
    [
      ["get the prices", /Retail.*Wholesale/s],
      ["get the prices in the table", /Retail.*Wholesale/s],
      ["get the prices in the Wholesale table", (rows) => rows.map(() => "1.00")],
      ["get the prices under Retail", (rows) => rows.map(({ price }) => price)],
      ["get the name and price of each tea in Retail", (rows) => rows.map(({ name, price }) => ({ name, price }))],
      ["get all prices", (rows) => [...rows.map(({ price }) => price), ...rows.map(() => "1.00")]],
      ["how many tables are there", () => 2],
    ],
  ),
  shape<Member>(
    "a table of people, and addresses in the footer",
    [crew, moreCrew],
    (rows) =>
      `<main><h1>Crew</h1><table><tr><th>Name<th>E-mail<th>Phone number${each(rows, ({ name, email, phone }) => `<tr><td>${name}<td><a href="mailto:${email}">${email}</a><td>${phone}`)}</table><p>Write to ${rows[0]?.name}.</p></main><footer><a href="mailto:office@x.example">office@x.example</a> <a href=/imprint>Imprint</a> <a href=/terms>Terms</a></footer>`,
    [
      ["collect the emails in the table", emails],
      ["get the email addresses", emails, /outside/],
      ["collect all emails on the page", (rows) => [...rows.map(({ email }) => email), "office@x.example"]],
      ["get the phone numbers", (rows) => rows.map(({ phone }) => phone)],
      ["get the names and emails", (rows) => rows.map(({ name, email }) => ({ name, email }))],
      ["get the emails in the footer", () => ["office@x.example"]],
      ["how many links are in the footer", () => 3],
      ["get the faxes in the table", /fax/],
    ],
  ),
  shape<Country>(
    "a table of an encyclopedia, with notes and two rows of headers",
    [countries, moreCountries],
    (rows) =>
      `<article><h1>Countries</h1><p>See the list.<sup>[1]</sup></p><table class=wikitable><caption>Countries by population</caption><tr><th rowspan=2>Country<th rowspan=2>Capital<th colspan=2>Population<tr><th>2023<th>2024${each(rows, ({ name, capital, people }) => `<tr><th scope=row><a href=/w>${name}</a><td>${capital}<sup class=reference><a href=#n>[2]</a></sup><td>1<td>${people}`)}</table><h2>References</h2><ol><li>A book<li>A paper</ol></article>`,
    [
      ["list the capitals", (rows) => rows.map(({ capital }) => capital)],
      ["get the names of all countries", (rows) => rows.map(({ name }) => name)],
      [
        "get the country and capital of each row",
        (rows) => rows.map(({ name, capital }) => ({ country: name, capital })),
      ],
      ["how many countries are there", (rows) => rows.length],
      ["list the references", () => ["A book", "A paper"]],
      ["get the populations", /several|population/],
    ],
  ),
  shape<Train>(
    "a timetable",
    [trains, moreTrains],
    (rows) =>
      `<h1>Trains from Voss</h1><div role=table aria-label=Departures><div role=row><span role=columnheader>Time</span><span role=columnheader>Destination</span><span role=columnheader>Platform</span></div>${each(rows, ({ time, to, platform }) => `<div role=row><span role=cell>${time}</span><span role=cell>${to}</span><span role=cell>${platform}</span></div>`)}</div><p>Last update: 08:00</p>`,
    [
      ["get the times", (rows) => rows.map(({ time }) => time)],
      ["list the destinations of all departures", (rows) => rows.map(({ to }) => to)],
      ["get the time and destination of each train", (rows) => rows.map(({ time, to }) => ({ time, destination: to }))],
      ["get the platforms", (rows) => rows.map(({ platform }) => platform)],
      ["how many departures are there", (rows) => rows.length],
      [
        "get the destination of the first two departures",
        (rows) => rows.slice(0, 2).map(({ to }) => ({ destination: to })),
      ],
      ["get the arrivals", /arrival/],
    ],
  ),
  shape<Team>(
    "a table of a league, with abbreviations",
    [teams, moreTeams],
    (rows) =>
      `<h2>Table</h2><table><tr><th>#<th>Team<th><abbr title=Played>P</abbr><th><abbr title=Points>Pts</abbr>${each(rows, ({ team, points }, index) => `<tr><td>${index + 1}<td><img src="data:," alt="">${team}<td>12<td>${points}`)}</table><aside><h3>Scorers</h3><ol><li>Lee (9)<li>Roe (8)</ol></aside>`,
    [
      ["get the team names", (rows) => rows.map(({ team }) => team)],
      ["get the points", (rows) => rows.map(({ points }) => points)],
      ["get the team and points of each row", (rows) => rows.map(({ team, points }) => ({ team, points }))],
      ["get the top two teams", (rows) => rows.slice(0, 2).map(({ team }) => team)],
      ["how many teams are there", (rows) => rows.length],
      ["list the scorers", () => ["Lee (9)", "Roe (8)"]],
      ["get the stadiums", /stadium/],
    ],
  ),
];
