import { escapeHtml } from "./element-tree.ts";

/** An HTML document. */
export function htmlDocument(title: string, body: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><link rel="icon" href="data:,"><title>${title}</title></head><body>${body}</body></html>`;
}

/** The form of a login. */
export function loginPage(problem = ""): string {
  return htmlDocument(
    "Sign in",
    `<h1>Sign in</h1>${problem === "" ? "" : `<p role="alert">${problem}</p>`}
    <form method="post" action="/login" aria-label="Sign in">
      <p><label>User <input name="user" autocomplete="username"></label></p>
      <p><label>Password <input name="password" type="password"></label></p>
      <p><label><input type="checkbox" name="stay"> Stay signed in</label></p>
      <button>Sign in</button>
    </form>`,
  );
}

/** The page behind the login. */
export const accountPage = htmlDocument(
  "Account",
  `<h1>Welcome, Ada</h1><h2>Orders</h2><ul><li>Order 17: two lamps</li><li>Order 23: one chair</li></ul><a href="/logout">Sign out</a>`,
);

/** A form with a field of each kind. */
export const longForm = htmlDocument(
  "Application",
  `<h1>Application</h1><form method="post" action="/form/sent">
  <p><label for="full-name">Full name</label> <input id="full-name" name="fullName" required></p>
  <p><label for="mail">E-mail</label> <input id="mail" name="mail" type="email"></p>
  <p><label for="age">Age</label> <input id="age" name="age" type="number"></p>
  <p><label for="day">First day</label> <input id="day" name="day" type="date"></p>
  <p><label for="country">Country</label> <select id="country" name="country"><option value="">Choose</option>
    <option value="de">Germany</option><option value="fr">France</option><option value="xx" disabled>Nowhere</option></select></p>
  <fieldset><legend>Contact by</legend>
    <label><input type="radio" name="contact" value="mail"> Mail</label>
    <label><input type="radio" name="contact" value="phone"> Phone</label></fieldset>
  <p><label><input type="checkbox" name="terms" value="yes"> I accept the terms</label></p>
  <p><label for="about">About you</label> <textarea id="about" name="about"></textarea></p>
  <p><label for="code">Access code</label> <input id="code" name="code" type="password"></p>
  <p><label for="locked">Number of the form</label> <input id="locked" name="locked" value="F-1" readonly></p>
  <button>Send</button> <button disabled type="button">Save draft</button></form>`,
);

/** Returns the page with the values of a sent form, without the access code. */
export function sentForm(sent: URLSearchParams): string {
  const pairs = [...sent].map(
    ([name, value]) => `<dt>${escapeHtml(name)}</dt><dd>${name === "code" ? "(received)" : escapeHtml(value)}</dd>`,
  );
  return htmlDocument("Received", `<h1>Received</h1><dl>${pairs.join("")}</dl>`);
}
