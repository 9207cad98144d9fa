/** Kinds of names: those of fields may have a word for "required" beside them, those of options no mark at all. */
export type NamedKind = "field" | "control" | "option";

/** Words for "required" and "optional" beside a label, in the languages of the web. */
const markWords = [
  "required(?: field)?|mandatory|optional|pflichtfeld|pflichtangabe|erforderlich|freiwillig|obligatoire|champ obligatoire|requis|facultati[fv]e?|optionnel(?:le)?",
  "obligatori[oa]|campo obligatorio|requerid[oa]|opcional|obbligatori[oa]|richiest[oa]|facoltativ[oa]|opzionale|obrigat[óo]ri[oa]|verplicht|vereist|optioneel",
  "wymagan[eya]|opcjonaln[eya]|nieobowiązkow[eya]|obligatorisk|obligatoriskt|valfri|valfritt|påkrævet|påkrevd|valgfri|valgfritt|valgfrit|frivillig|pakollinen|valinnainen",
  "povinn[éýá]|nepovinn[éýá]|volitelné|povinné pole|kötelező|nem kötelező|obligatoriu|opțional|zorunlu|isteğe bağlı|bắt buộc|wajib|opsional",
  "обязательно|обязательное(?: поле)?|необязательно|необязательное(?: поле)?|обов.язково|необов.язково|υποχρεωτικό|προαιρετικό",
  "必須|任意|必填|选填|選填|可选|可選|필수|선택|مطلوب|إلزامي|اختياري|חובה|רשות|אופציונלי|आवश्यक|वैकल्पिक|จำเป็น",
].join("|");

/**
 * Character class of icons and arrows: pictures, flags, private characters of icon fonts, bullets, check marks, stars. Not of plus, minus,
 * hash or any other sign.
 */
const icons = String.raw`\p{Extended_Pictographic}\p{RI}\p{EMod}\uFE0F\u200D\p{Co}•·∙●○◦■□▪▫▸▹►▻▶▷▾▿▼▽▲△▴▵◀◁◂◃◄★☆✓✔✕✖✗✘☰⋮⋯←-⇿⟰-⟿⤀-⥿⬀-⬑➔➘-➾«»‹›`;

/** A count in brackets: (12), [3], (99+). */
const count = String.raw`[(\[]\s*\d[\d.,\s]*\+?[)\]]`;

const forms: readonly (readonly [signs: RegExp, pattern: string])[] = [
  [/['’‘]/u, "['’‘]"],
  [/…/u, String.raw`(?:…|\.\.\.)`],
  [/["“”„]/u, '["“”„]'],
  [/[-‐‑−–]/u, "[-‐‑−–]"],
];

/**
 * Compiles the patterns that decide whether a text of a page is a name, in two tiers, the closest first.
 *
 * 1. the same text: white space and typographic forms of a sign (’ and ', − and -) do not matter;
 * 2. the same text without additions of pages: case, a colon, dots, quotation marks around all of it, arrows, an icon, a mark or word for
 * required or optional, a count in brackets.
 *
 * A longer or a similar name matches neither. Digits and signs of the name are never ignored, and for a name of signs only nothing is.
 * Matching takes linear time. The patterns can be passed to Playwright.
 */
export function compileNamePatterns(expected: string, kind: NamedKind = "control"): readonly [RegExp, RegExp] {
  const name = writeSource(expected);
  const exact = pattern(String.raw`^\s*${name}\s*$`, "u");
  if (!/[\p{L}\p{N}]/u.test(expected)) return [exact, exact];
  const trimmed = expected.trim();
  const beginsWithLetter = /^\p{L}/u.test(trimmed);
  const endsWithLetter = /\p{L}$/u.test(trimmed);
  const words = String.raw`[(\[]\s*(?:${markWords})\s*[)\]]`;
  const before = [
    String.raw`[\s${icons}${beginsWithLetter ? "<>" : ""}]`,
    count,
    ...(beginsWithLetter && /^\p{L}{2}/u.test(trimmed) ? [String.raw`\+\s`] : []),
    ...(kind === "field" ? [String.raw`\*`, String.raw`(?:${markWords})\s`] : []),
  ];
  const after = [
    String.raw`[\s:：.。…${icons}${endsWithLetter ? "<>" : ""}]`,
    count,
    ...(kind === "option"
      ? []
      : [words, String.raw`(?<=${kind === "field" ? "" : String.raw`\p{L}{2}|[\s)\]*]`})[*＊✱]`]),
    ...(kind === "option" ? [] : [String.raw`[-–—,]\s?(?:${markWords})(?!\p{L})`]),
    ...(kind === "field" ? [String.raw`(?<=[\s:*])(?:${markWords})(?!\p{L})`] : []),
  ];
  const quoted = [
    ['["“„«]', '["”“»]'],
    ["['‘]", "['’]"],
  ].map(([open, close]) => String.raw`${open}\s?${name}\s?${close}`);
  return [exact, pattern(`^(?:${before.join("|")})*(?:${[name, ...quoted].join("|")})(?:${after.join("|")})*$`, "iu")];
}

/** Returns the tier in which a shown name is the expected one: 1 or 2, as in `compileNamePatterns`; undefined if it is another name. */
export function findNameTier(shown: string, expected: string, kind: NamedKind = "control"): 1 | 2 | undefined {
  const [exact, framed] = compileNamePatterns(expected, kind);
  const text = shown.replaceAll(/[\u200B\u00AD]/g, "");
  if (exact.test(text)) return 1;
  return framed.test(text) ? 2 : undefined;
}

/**
 * Returns the index of the only text that is the name, in the closest tier.
 *
 * @returns Undefined if none is; `several` with their number if more than one is.
 */
export function findNameIndex(
  shown: readonly string[],
  expected: string,
  kind: NamedKind,
): { readonly index: number } | { readonly several: number } | undefined {
  for (const tier of [1, 2]) {
    const indexes = shown.flatMap((one, index) => (findNameTier(one, expected, kind) === tier ? [index] : []));
    const [index] = indexes;
    if (index !== undefined) return indexes.length === 1 ? { index } : { several: indexes.length };
  }
  return undefined;
}

function writeSource(expected: string): string {
  const words = expected.trim().split(/\s+/);
  return words
    .map((word) => word.replaceAll("...", "…").replaceAll(/[^\p{L}\p{N}]/gu, escapeSign))
    .join(String.raw`\s+`);
}

function escapeSign(sign: string): string {
  const [, typographic] = forms.find(([signs]) => signs.test(sign)) ?? [];
  return typographic ?? sign.replace(/[.*+?^${}()|[\]\\/]/, String.raw`\$&`);
}

/** Compiles a pattern. Playwright's selectors need quotation marks and `>` escaped. */
function pattern(source: string, flags: string): RegExp {
  const escaped = source.replaceAll(/["'`>]/g, (sign, at: number) => {
    const isSyntax = sign === ">" && /\(\?<?$/.test(source.slice(0, at));
    return isSyntax ? sign : String.raw`\x${sign.charCodeAt(0).toString(16)}`;
  });
  return new RegExp(escaped, flags);
}
