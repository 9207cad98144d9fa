/** Selector of the possible parts of a form: fields and buttons. */
export const formParts =
  "input:not([type=hidden], [type=checkbox], [type=radio], [type=file]), textarea, select, [contenteditable], button, [role=button]";

/** Words that classify forms and buttons, as sources of patterns. */
export interface FormWords {
  readonly logIn: string;
  readonly register: string;
  readonly next: string;
  readonly submit: string;
  readonly other: string;
  readonly user: string;
}

/** The words, in the languages of the web. */
export const formWords: FormWords = {
  logIn: String.raw`\blog[ -]?(?:in|on)\b|\bsign[ -]?in\b|\banmeld|\beinlogg|se connecter|connexion|connectez|identifi(?:ez|er)|inicia(?:r)? ses|\bacceder\b|\bentrar\b|\bingresar\b|\baccedi\b|\binloggen\b|\baanmelden\b|logga in|log ind|logg inn|kirjaudu|zaloguj|přihlás|prihlás|bejelentkez|autentific|giriş yap|oturum aç|войти|вход|увійти|вхід|σύνδεση|ログイン|サインイン|登录|登入|로그인|تسجيل الدخول|התחבר|\bmasuk\b|đăng nhập`,
  register: String.raw`\bsign[ -]?up\b|\bregist(?:er|rier|rar|rati|reren|ro\b)|\bjoin\b|creat\w* (?:an? |your )?(?:new )?account|new (?:account|customer|member)|konto (?:erstellen|anlegen)|inscri(?:re|ption|vez)|créer un compte|crear (?:una )?cuenta|crea (?:un )?account|cadastr|criar conta|account aanmaken|skapa konto|opret|zarejestruj|utwórz konto|регистр|会員登録|新規登録|注册|註冊|회원가입|kayıt ol|(?:change|reset|new|forgot\w*|confirm|repeat) (?:your )?password|passwort ändern|newsletter`,
  next: String.raw`\bcontinue\b|\bnext\b|\bproceed\b|\bgo\b|\bok\b|weiter|continuer|suivant|continuar|siguiente|avanti|continua|próximo|seguinte|volgende|verder|nästa|fortsätt|næste|fortsett|jatka|dalej|dále|pokračovat|tovább|devam|далее|продолжить|далі|次へ|下一步|继续|다음`,
  submit: String.raw`\bsubmit\b|\bsend\b|\bsave\b|\bcontinue\b|senden|absenden|speichern|envoyer|enregistrer|enviar|guardar|invia|salva|verzenden|opslaan|skicka|spara|wyślij|zapisz|odeslat|отправить|сохранить|送信|提交|보내기|저장|gönder`,
  other: String.raw`\b(?:with|using|mit|avec|via|con) (?:google|apple|facebook|github|microsoft|x\b|twitter|linkedin|sso|a?\s?passkey|qr)|\bsso\b|passkey|\bshow\b|\bhide\b|forgot|vergessen|oublié|olvid|\bcancel\b|\bback\b|\breset\b|\bclear\b|\bdelete\b|\bremove\b|abbrechen|zurück|annuler|cancelar|annulla|\bhelp\b|\bclose\b`,
  user: String.raw`user|e-?mail|login|\blog\b|name|account|member|customer|phone|mobile|benutzer|nutzer|konto|identifiant|usuario|correo|utente|usuário|gebruiker|användare|bruger|użytkownik|логин|почт|имя|ユーザー|メール|用户|邮箱|帐号|账号|아이디|이메일`,
};

/** Indexes of the parts of a log-in form. */
export interface LogInParts {
  /** Result: one form, none, several, or only one of another kind, such as a registration. */
  readonly verdict: "form" | "none" | "several" | "other";
  /** Index of the field for the user; -1 without one. */
  readonly user: number;
  /** Index of the field for the password; -1 while it is not shown. */
  readonly password: number;
  /** Index of the button; -1 when the form has none, and Enter sends it. */
  readonly submit: number;
}

/**
 * Finds the one form to log in with: its field for a password, the one for the user, and its button. Of several, the one whose button
 * or heading says log in; never one that creates an account or changes a password. Without a field for a password, the form that asks for the
 * user first. Runs in the page.
 *
 * @param ask.isSecondStep - The user was given before: a form with a password alone is meant.
 */
export function findLogInParts(
  elements: readonly Element[],
  { words, isSecondStep }: { words: FormWords; isSecondStep: boolean },
): LogInParts {
  const says = (text: string, which: keyof FormWords): boolean => new RegExp(words[which], "iu").test(text);
  const getText = (element: Element): string =>
    `${element.getAttribute("aria-label") ?? ""} ${element instanceof HTMLInputElement ? element.value : (element.textContent ?? "")} ${element.getAttribute("title") ?? ""}`
      .replace(/\s+/g, " ")
      .trim();
  const isButton = (element: Element): boolean =>
    element.matches("button, [role=button], input[type=submit], input[type=button], input[type=image]");
  const isText = (element: Element): boolean =>
    element.matches("input:is([type=text], [type=email], [type=tel], [type=number], :not([type]))");
  const passwords = elements.filter((element) => element.matches("input[type=password]"));
  const findGroup = (field: Element): Element => {
    const form = field.closest("form");
    if (form) return form;
    let around = field.parentElement;
    const holds = (one: Element): boolean => elements.some((part) => isButton(part) && one.contains(part));
    while (around?.parentElement && around !== document.body && !holds(around)) around = around.parentElement;
    const withUser = isSecondStep || elements.some((part) => isText(part) && around?.contains(part));
    return (withUser ? around : around?.parentElement) ?? document.body;
  };
  const isIn = (element: Element, group: Element): boolean =>
    group.contains(element) || ("form" in element && element.form === group);
  const getLabel = (field: Element): string =>
    [
      ...("labels" in field && field.labels instanceof NodeList ? [...field.labels].map((one) => one.textContent) : []),
      ...["name", "id", "placeholder", "aria-label", "autocomplete"].map((one) => field.getAttribute(one)),
    ].join(" ");
  const isUser = (field: Element): boolean =>
    /\b(?:username|email)\b/.test(field.getAttribute("autocomplete") ?? "") ||
    field.getAttribute("type") === "email" ||
    says(getLabel(field), "user");
  const getHeading = (group: Element): string => {
    const own = [...group.querySelectorAll("h1, h2, h3, h4, h5, h6, legend, [role=heading]")];
    const before = [...document.querySelectorAll("h1, h2, h3, h4, h5, h6, [role=heading]")].findLast(
      (one) => (one.compareDocumentPosition(group) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0,
    );
    const heading = own.length > 0 ? own : before ? [before] : [];
    return [...heading.map((one) => one.textContent), group.getAttribute("aria-label"), group.id].join(" ");
  };
  const listButtons = (group: Element): Element[] =>
    elements.filter((one) => isButton(one) && isIn(one, group) && !says(getText(one), "other"));
  const classifyForm = (group: Element): "log-in" | "other" | "neutral" => {
    const secrets = passwords.filter((one) => isIn(one, group));
    if (secrets.length > 1 || secrets.some((one) => one.getAttribute("autocomplete") === "new-password"))
      return "other";
    const buttons = listButtons(group).filter(
      (one) => one.getAttribute("type") !== "button" || group.localName !== "form",
    );
    if (buttons.some((one) => says(getText(one), "logIn"))) return "log-in";
    if (buttons.some((one) => says(getText(one), "register"))) return "other";
    const heading = getHeading(group);
    if (says(heading, "register") && !says(heading, "logIn")) return "other";
    return says(heading, "logIn") && !says(heading, "register") ? "log-in" : "neutral";
  };
  const findUser = (group: Element, before: Element | undefined): Element | undefined => {
    const texts = elements.filter((one) => isText(one) && isIn(one, group));
    const ahead = before ? texts.filter((one) => elements.indexOf(one) < elements.indexOf(before)) : texts;
    const users = ahead.filter(isUser);
    const [only, another] = users.length > 0 ? users : ahead;
    return another === undefined ? only : undefined;
  };
  const findSubmit = (group: Element): Element | undefined | "several" => {
    const sends = (one: Element): boolean =>
      group.localName !== "form" || (one.matches("button, input") && one.getAttribute("type") !== "button");
    const all = listButtons(group).filter((one) => !says(getText(one), "register"));
    for (const some of [
      all.filter((one) => says(getText(one), "logIn")),
      all.filter((one) => says(getText(one), "next")),
      all.filter(sends),
    ]) {
      if (some.length > 0) return some.length === 1 ? some[0] : "several";
    }
    return undefined;
  };
  const none: LogInParts = { verdict: "none", user: -1, password: -1, submit: -1 };
  const groups = [...new Set(passwords.map(findGroup))];
  const fitting = groups.filter(
    (group) =>
      isSecondStep ||
      findUser(
        group,
        passwords.find((one) => isIn(one, group)),
      ) !== undefined,
  );
  const entries =
    passwords.length > 0
      ? fitting
      : [...new Set(elements.filter((one) => isText(one) && isUser(one)).map(findGroup))].filter((group) => {
          const texts = elements.filter((one) => (isText(one) || one.matches("textarea")) && isIn(one, group));
          const proceeds = listButtons(group).some((one) => says(getText(one), "next") || says(getText(one), "logIn"));
          return texts.length === 1 && proceeds;
        });
  if (entries.length === 0) return { ...none, verdict: passwords.length > 0 ? "other" : "none" };
  const saying = entries.filter((group) => classifyForm(group) === "log-in");
  const possible = saying.length > 0 ? saying : entries.filter((group) => classifyForm(group) === "neutral");
  const [group, another] = possible;
  if (group === undefined) return { ...none, verdict: "other" };
  if (another !== undefined) return { ...none, verdict: "several" };
  const password = passwords.find((one) => isIn(one, group));
  const submit = findSubmit(group);
  if (submit === "several") return { ...none, verdict: "several" };
  const findIndex = (one: Element | undefined): number => (one === undefined ? -1 : elements.indexOf(one));
  return {
    verdict: "form",
    user: findIndex(findUser(group, password)),
    password: findIndex(password),
    submit: findIndex(submit),
  };
}

/**
 * How a form is submitted: by the button of an index, or by Enter in the field that was filled last; or why that is unknown: `none` or
 * `several` buttons.
 */
export type SubmitPart = number | "enter" | "none" | "several";

/**
 * Finds the button that sends the form of the field that was filled last; without one, that of the only form. Runs in the page.
 */
export function findSubmitPart(
  elements: readonly Element[],
  { words, near }: { words: FormWords; near: Node | null },
): SubmitPart {
  const says = (text: string, which: keyof FormWords): boolean => new RegExp(words[which], "iu").test(text);
  const getText = (element: Element): string =>
    `${element.getAttribute("aria-label") ?? ""} ${element instanceof HTMLInputElement ? element.value : (element.textContent ?? "")}`.trim();
  const isButton = (element: Element): boolean =>
    element.matches("button, [role=button], input:is([type=submit], [type=button], [type=image])");
  const sends = (element: Element): boolean =>
    element.matches("input:is([type=submit], [type=image]), button:not([type=button], [type=reset])");
  const findForm = (element: Element): Element | null =>
    "form" in element && element.form instanceof HTMLFormElement ? element.form : element.closest("form");
  const buttons = elements.filter((one) => isButton(one) && !says(getText(one), "other"));
  const chooseOne = (some: readonly Element[]): SubmitPart | undefined => {
    const [first, another] = some;
    if (first === undefined) return undefined;
    if (another === undefined) return elements.indexOf(first);
    const usual = some.filter((button) => new RegExp(`^\\s*(?:${words.submit})\\s*$`, "iu").test(getText(button)));
    return usual.length === 1 && usual[0] ? elements.indexOf(usual[0]) : "several";
  };
  if (near instanceof Element && near.isConnected) {
    const form = findForm(near);
    if (form) {
      const own = buttons.filter((button) => findForm(button) === form);
      const saying = own.filter((button) => !sends(button) && says(getText(button), "submit"));
      return chooseOne(own.filter(sends)) ?? chooseOne(saying) ?? "enter";
    }
    for (let around = near.parentElement; around; around = around.parentElement) {
      const inside = buttons.filter((button) => findForm(button) === null && around?.contains(button));
      const saying = inside.filter((button) => says(getText(button), "submit"));
      const part = chooseOne(saying.length > 0 ? saying : inside);
      if (part !== undefined) return part;
    }
    return "none";
  }
  const senders = buttons.filter((button) => sends(button) && findForm(button) !== null);
  const forms = [...new Set(senders.map(findForm))];
  if (forms.length > 1) return "several";
  return chooseOne(senders) ?? chooseOne(buttons.filter((button) => says(getText(button), "submit"))) ?? "none";
}
