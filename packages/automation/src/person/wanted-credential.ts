import type { Page } from "playwright-core";
import { awaitWithin } from "../async.ts";
import { readFrames } from "../page/frames.ts";
import { lookForLogIn } from "../planner/finding/forms.ts";

/** A credential that a page requires: a login, or a code that is valid once. */
export type Credential = "login" | "code";

/** Longest wait for a document, in milliseconds. */
const timeoutMs = 2_000;

/** Returns the credential that a page requires; undefined if it requires none. */
export async function findCredential(page: Page): Promise<Credential | undefined> {
  const codes = await readFrames(page, async (frame) => frame.evaluate(wantsCode), { timeoutMs });
  if (codes.includes(true)) return "code";
  const { verdict } = await lookForLogIn(page, false);
  return verdict === "form" || verdict === "several" ? "login" : undefined;
}

/** Returns whether a page shows little beside its fields for a credential, so that its content comes after it. */
export async function isBeforeContent(page: Page): Promise<boolean> {
  return (await awaitWithin(timeoutMs, page.mainFrame().evaluate(showsLittle))) ?? false;
}

/** Runs in the page: finds a field that is shown and empty for a code that is valid once, or several of one character each. */
function wantsCode(): boolean {
  const fields = [...document.querySelectorAll("input")].filter(
    (field) =>
      !field.disabled &&
      !field.readOnly &&
      field.value === "" &&
      field.checkVisibility({ opacityProperty: true, visibilityProperty: true }),
  );
  const texts = fields.filter(({ type }) => /^(?:text|tel|number|password)$/.test(type));
  const names =
    /\botp\b|totp|\b2fa\b|\bmfa\b|one.?time|(?:verification|security|authenticat\w+|sms|confirmation|login|sign.?in).?code|passcode|bestätigungscode|sicherheitscode|einmal(?:code|passwort|kennwort)|code de (?:vérification|sécurité)|código de (?:verificación|seguridad)/i;
  const isNamed = (field: HTMLInputElement): boolean =>
    [
      field.name,
      field.id,
      field.placeholder,
      field.ariaLabel,
      ...[...(field.labels ?? [])].map((label) => label.innerText),
    ]
      .map((text) => text?.replaceAll(/([a-z])([A-Z])/g, "$1 $2") ?? "")
      .some((text) => names.test(text));
  if (texts.some((field) => field.autocomplete.includes("one-time-code") || isNamed(field))) return true;
  const single = texts.filter(({ maxLength }) => maxLength === 1);
  return single.length >= 4 && single.length <= 8;
}

/** Runs in the page. */
function showsLittle(): boolean {
  const most = { characters: 1_500, rows: 1 };
  const { body } = document;
  return body.innerText.trim().length <= most.characters && body.querySelectorAll("tbody tr").length <= most.rows;
}
