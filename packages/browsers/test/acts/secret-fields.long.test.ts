import { afterAll, beforeAll, expect, test } from "vitest";
import { WatchedPage } from "./watched-page.ts";

let watched: WatchedPage;
beforeAll(async () => void (watched = await WatchedPage.open()));
afterAll(() => watched?.[Symbol.asyncDispose]());

const secret = "n0t-T0-be-told 4111111111111111 123456";
const secretFields: readonly string[] = [
  `<input type="password">`,
  `<input autocomplete="current-password">`,
  `<input autocomplete="section-a new-password">`,
  `<input name="userPassword">`,
  `<input id="login_passwd">`,
  `<label>Kennwort <input></label>`,
  `<label>Mot de passe <input></label>`,
  `<label>Пароль <input></label>`,
  `<input placeholder="密码">`,
  `<input aria-label="パスワード">`,
  `<input style="-webkit-text-security: disc">`,
  `<input autocomplete="one-time-code">`,
  `<label>Verification code <input></label>`,
  `<label>Enter code <input></label>`,
  `<input name="otp">`,
  `<input name="totpCode">`,
  `<input aria-label="6-digit PIN">`,
  `<label>Code de vérification <input></label>`,
  `<label>Bestätigungscode <input></label>`,
  `<input autocomplete="cc-number">`,
  `<input autocomplete="billing cc-csc">`,
  `<input name="cardNumber">`,
  `<label>CVV <input></label>`,
  `<input placeholder="MM/YY">`,
  `<input name="api_key">`,
  `<textarea aria-label="Recovery phrase"></textarea>`,
  `<input name="client-secret">`,
  `<div contenteditable aria-label="Password" style="height:20px"></div>`,
  `<input name="pwd1">`,
  `<input name="userpass">`,
  `<input id="newpwd">`,
  `<input name="otp1">`,
  `<input name="otpcode">`,
  `<input name="ccnum">`,
  `<input name="ccv">`,
  `<input aria-label="Expiration month">`,
  `<label>Lösenord <input></label>`,
  `<label>Mật khẩu <input></label>`,
  `<label>Doğrulama kodu <input></label>`,
  `<label>Kartenprüfnummer <input></label>`,
  `<input data-testid="mfaCode">`,
  `<label>Photo-TAN <input></label>`,
];

test.each([
  `<label>Postal code <input></label>`,
  `<label>Promo code <input></label>`,
  `<label>City <input name="shipping_city"></label>`,
  `<label>Phone <input type="tel"></label>`,
  `<label>Company <input></label>`,
  `<textarea aria-label="Description"></textarea>`,
])("what is typed into %s is told", async (body) => {
  await watched.show(`<div id="here">${body}</div>`);
  await watched.page.locator("#here :is(input, textarea)").fill("an answer");
  expect(await watched.acts()).toMatchObject([{ kind: "fill", value: "an answer" }]);
});

test("a form whose fields have the names of methods is told as far as that goes, and hides nothing of others", async () => {
  await watched.show(
    `<form id="odd" style="padding:40px;width:300px"><input name="getAttribute"><input name="matches"><input name="localName" value="x"></form>`,
  );
  await watched.page.mouse.click(20, 20);
  await watched.page.evaluate("document.querySelector('[name=matches]').focus()");
  await watched.page.keyboard.insertText("Ada");
  expect((await watched.acts()).filter(({ kind }) => kind === "fill")).toMatchObject([{ value: "Ada" }]);
  expect(watched.events.filter(({ kind }) => kind === "console")).toEqual([]);
});

test("what somebody has written around a click is no part of a name, and what a hidden field is set to is not told", async () => {
  await watched.show(
    `<div style="padding:30px" id="around">Note <div contenteditable>hidden-text</div></div><input type="hidden" id="h">`,
  );
  await watched.page.locator("#around").click({ position: { x: 5, y: 5 } });
  await watched.page.evaluate(
    "h.value = 'hidden-token'; h.dispatchEvent(new Event('input', { bubbles: true })); h.dispatchEvent(new Event('change', { bubbles: true }))",
  );
  await watched.page.mouse.click(600, 500);
  expect((await watched.acts()).map(({ kind, target }) => [kind, target?.name])).toEqual([
    ["click", "Note"],
    ["click", undefined],
  ]);
  expect(JSON.stringify(watched.events)).not.toContain("hidden-");
});

test.each(secretFields)("what is typed into %s is not told", async (body) => {
  await watched.show(`<div id="here">${body}</div>`);
  const field = watched.page.locator("#here :is(input, textarea, [contenteditable])");
  await field.click();
  await watched.page.keyboard.insertText(secret);
  await field.pressSequentially("ab1");
  const acts = await watched.acts();
  expect(acts.find(({ kind }) => kind === "fill")).toMatchObject({ value: null, withheld: expect.any(String) });
  expect(JSON.stringify(watched.events)).not.toMatch(/n0t|4111|123456|ab1/);
});

test.each([
  ["a card number in any field", `<label>Note <input></label>`, "4111 1111 1111 1111"],
  ["digits in a short field", `<label>Number <input maxlength="6"></label>`, "482913"],
  ["digits where the keyboard has only those", `<label>Enter it <input inputmode="numeric"></label>`, "482913"],
  ["a token", `<label>Note <input></label>`, "ghp_abcdefghijklmnopqrstuvwxyz"],
])("%s is known by what it is", async (_, body, value) => {
  await watched.show(`<div id="here">${body}</div>`);
  await watched.page.locator("#here input").fill(value);
  expect(await watched.acts()).toMatchObject([{ kind: "fill", value: null }]);
  expect(JSON.stringify(watched.events)).not.toContain(value);
});

test("a password stays one when it is shown, and when its field is made anew as one of text", async () => {
  await watched.show(
    `<input type="password" name="field7"><button type="button" id="show" onclick="
      const old = document.querySelector('input'); const next = document.createElement('input');
      next.name = old.name; next.value = old.value; old.replaceWith(next)">Show</button>`,
  );
  await watched.page.locator("input").pressSequentially("hunter2");
  await watched.page.locator("#show").click();
  await watched.page.locator("input").pressSequentially("9");
  const fills = (await watched.acts()).filter(({ kind }) => kind === "fill");
  expect(fills.map(({ value }) => value)).toEqual([null, null]);
  expect(JSON.stringify(watched.events)).not.toContain("hunter2");
});

test("what was typed when a document goes has been told", async () => {
  await watched.show(`<label>Name <input></label>`);
  await watched.page.getByLabel("Name").fill("Ada");
  await watched.page.goto("about:blank");
  const typed = watched.events.flatMap((event) => (event.kind === "act" ? [event.act] : []));
  expect(typed.at(-1)).toMatchObject({ kind: "fill", value: "Ada", target: { name: "Name" } });
});

test("the number of a card is told in no part of it that shows what it is", async () => {
  await watched.show(`<label>Note <input></label>`);
  await watched.page.locator("input").first().pressSequentially("4111 1111 1111 1111");
  await watched.acts();
  expect(JSON.stringify(watched.events)).not.toContain("4111 1111 1");
});

test("the keys of a PIN pad, and of fields of one character, are not told", async () => {
  await watched.show(`<input type="password" readonly><button type="button">7</button><button type="button">3</button>
    ${'<input maxlength="1">'.repeat(4)}`);
  await watched.page.getByRole("button", { name: "7" }).click();
  await watched.page.getByRole("button", { name: "3" }).click();
  for (const [index, digit] of ["8", "1", "4", "6"].entries())
    await watched.page.locator("input[maxlength]").nth(index).pressSequentially(digit);
  const acts = await watched.acts();
  expect(acts.filter(({ kind }) => kind === "click").map(({ target }) => target?.name)).toEqual(["", ""]);
  expect(acts.filter(({ kind }) => kind === "fill").map(({ value }) => value)).toEqual([null, null, null, null]);
});
