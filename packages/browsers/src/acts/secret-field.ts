/* oxlint-disable unicorn/consistent-function-scoping -- functions that run in the page can't use anything outside of them */
import type { Withheld } from "./act.ts";

/**
 * Returns why the value of a field is withheld; undefined when it may be reported. Runs in an isolated world of the page: it uses nothing
 * outside of itself. In doubt it withholds: a postal code that is missed costs less than a one-time code that is stored.
 *
 * @param name - Accessible name of the field.
 */
export function findSecretKind(field: Element, name: string, value: string): Withheld | undefined {
  const passwords =
    /passw|passphrase|passcode|kennwort|wachtwoord|mot de passe|motdepasse|contrase|clave|senha|has[lł]o|[sş]ifre|lozink|jelsz|salasana|lösenord|passord|adgangskode|kata sandi|mật khẩu|парол|密码|密碼|口令|パスワード|暗証|비밀번호|암호|كلمة (?:ال)?(?:مرور|سر)|סיסמ|पासवर्ड|รหัส|κωδικ|pwd|pass\b|\b(?:psw|pw|parol[aă]|heslo)\b/u;
  const secrets =
    /secret|token|api ?key|access ?key|private ?key|credential|recovery|seed phrase|mnemonic|maiden|security (?:answer|question)|\bssn\b|social security/u;
  const codes =
    /one ?time|otp\b|\botp|\b(?:2|m|two) ?fa|(?:two|2|multi) ?factor|verif\p{L}* ?(?:code|number)|(?:security|auth\p{L}*|confirm\p{L}*|access|login|sms|e ?mail|backup|unlock) ?code|\b(?:m|photo|push)?tan\b|\bm?pin\b|pin ?code|einmal|sicherheitscode|best.tigungscode|code de (?:v|s|c)|código|codigo|codice|kod |kodu\b|mã xác|رمز|验证码|驗證碼|認証|確認コード|인증|код/u;
  const otherCodes =
    /zip|post|promo|coupon|discount|gift|country|area|voucher|colou?r|source|product|item|airport|referral|language|currency/u;
  const cards =
    /card ?(?:number|num|no|nr)\b|\bcc ?(?:num|number|no|exp|csc|cvc|cvv)|credit ?card|debit ?card|\b(?:cvv|cvc|csc|cvn|ccv|pan)\b|card.*(?:exp|verif)|exp.*card|\bexp(?:iry|iration)? ?(?:date|month|year|mm|yy)|\bmm ?yy|karten ?nummer|kreditkarte|prüf(?:ziffer|nummer)|tarjeta|num[eé]ro de carte|cart[ãa]o|numero (?:della )?carta|numer karty|卡号|卡號|カード番号|카드/u;
  const attribute = (one: string): string => field.getAttribute(one) ?? "";
  const tokens = attribute("autocomplete").toLowerCase();
  const type = field instanceof HTMLInputElement ? field.type : "";
  if (type === "password" || /(?:current|new)-password/.test(tokens)) return "password";
  if (tokens.includes("one-time-code")) return "one-time-code";
  if (/(?:^|\s)cc-/.test(tokens)) return "card";
  const security: unknown = Reflect.get(getComputedStyle(field), "webkitTextSecurity");
  if (typeof security === "string" && security !== "" && security !== "none") return "password";
  const hints = [
    name,
    ...["name", "id", "placeholder", "aria-label", "title", "data-testid", "data-test"].map(attribute),
  ]
    .join(" ; ")
    .replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2")
    .replace(/(\p{L})(\d)/gu, "$1 $2")
    .replace(/(\d)(\p{L})/gu, "$1 $2")
    .toLowerCase()
    .replace(/[^\p{L}\p{N};]+/gu, " ");
  if (passwords.test(hints)) return "password";
  if (cards.test(hints)) return "card";
  if (codes.test(hints)) return "one-time-code";
  if (secrets.test(hints)) return "secret";
  if (/\bcodes?\b/.test(hints) && !otherCodes.test(hints)) return "one-time-code";
  const maxLength = Number(attribute("maxlength")) || Infinity;
  if (maxLength === 1) return "one-time-code";
  const digits = value.replaceAll(/[\s-]/g, "");
  if (/^\d{4,8}$/.test(digits) && (maxLength <= 8 || attribute("inputmode") === "numeric") && !otherCodes.test(hints))
    return "one-time-code";
  if (/^\d{13,19}$/.test(digits)) {
    let sum = 0;
    for (let place = 0; place < digits.length; place += 1) {
      const digit = Number(digits.at(-1 - place)) * (place % 2 === 0 ? 1 : 2);
      sum += digit > 9 ? digit - 9 : digit;
    }
    if (sum % 10 === 0) return "card";
  }
  if (/^(?:eyJ[\w-]+\.|sk[-_]|ghp_|github_pat_|xox[abp]-|AKIA|-----BEGIN)/.test(value.trim())) return "secret";
  return undefined;
}
