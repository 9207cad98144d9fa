/** Phrases that deny a problem. */
const denials =
  /\b(?:no|0|zero|without(?: any)?|keine?|ohne|aucune?|sin|ning[uú]n|nessun|geen)\s+(?:\w+\s+)?(?:errors?|problems?|issues?|failures?|fehler|probleme?|erreurs?|problèmes?|errores|errori|fouten)\b/giu;

/** Words by which pages say that something went wrong. */
const failures = [
  /\b(?:errors?|fail(?:ed|s|ure)?|could(?: not|n[’']t)|unable|impossible|invalid|incorrect|declined|denied|rejected|refused|forbidden|unauthori[sz]ed|went wrong|not (?:yet )?(?:been )?(?:\w+ly )?(?:saved|sent|booked|reserved|ordered|placed|paid|added|created|updated|deleted|removed|changed|submitted|accepted|completed|processed|registered|valid|available|allowed|possible|permitted|enough|found|recogni[sz]ed|supported)|unavailable|sold out|out of stock|insufficient|problems? with|there (?:is|was|were|are) (?:a |some |\d+ )?(?:problems?|errors?))\b/iu,
  /\b(?:fehler|fehlgeschlagen|konnten? nicht|kann nicht|nicht (?:möglich|gespeichert|gesendet|verfügbar|gefunden|gültig|erlaubt)|ungültig\p{L}*|abgelehnt|gescheitert|ausverkauft|leider)\b/iu,
  /\b(?:erreurs?|échec|échoué|impossible|invalide|n[’']a pas|n[’']est pas|ne peut pas|refusée?|indisponible|épuisée?)(?!\p{L})/iu,
  /(?<!\p{L})(?:error|errores|no se (?:pudo|puede|ha)|inválid[oa]|fallid[oa]|falló|rechazad[oa]|agotad[oa]|no disponible|errore|errori|impossibile|non (?:è stato|valido|disponibile|riuscit[oa])|fallit[oa]|esaurit[oa]|erro|falha|falhou|não foi possível|inválid[oa]|esgotad[oa]|fout|mislukt|ongeldig|niet (?:gelukt|beschikbaar|opgeslagen|verzonden)|uitverkocht|błąd|nie udało się|nieprawidłow\p{L}*|fel|misslyckades|ogiltig\p{L}*|kunne ikke|ugyldig|virhe|hata|geçersiz|başarısız|ошибка|не удалось|неверн\p{L}*|недоступн\p{L}*|помилка|не вдалося)(?!\p{L})/iu,
  /(?<!\p{L})(?:no s[’']ha pogut|fejl|mislykkedes|mislyktes|feilet|epäonnistui|virheelli\p{L}*|ei voitu|chyba|selhal[oa]?|nepodařilo se|nezdařil\p{L}*|neplatn\p{L}*|zlyhal[oa]?|nepodarilo sa|hiba|sikertelen\p{L}*|nem sikerült|érvénytelen\p{L}*|eroare|eșuat\p{L}*|nu s-a putut|invalid[ăe]|greška|neuspje\p{L}*|neuspe\p{L}*|napaka|грешка|неуспеш\p{L}*|nepavyko|klaida|kļūda|neizdevās|viga|ebaõnnestus|σφάλμα|απέτυχε|αποτυχία|δεν ήταν δυνατ\p{L}*|μη έγκυρ\p{L}*|gagal|kesalahan|tidak (?:dapat|bisa|valid|berhasil)|ralat|lỗi|thất bại|không (?:thể|thành công|hợp lệ)|nabigo|olmadı|yapılamadı|kaydedilemedi)(?!\p{L})/iu,
  /エラー|失敗|できません|できませんでした|無効|正しくありません|错误|錯誤|失败|失敗|无法|無法|无效|不成功|不正确|오류|실패|할 수 없습니다|못했습니다|올바르지|خطأ|فشل|تعذر|تعذّر|غير صالح|خطا|ناموفق|نامعتبر|שגיאה|נכשל|לא ניתן|לא הצליח|לא תקין|ไม่สำเร็จ|ล้มเหลว|ผิดพลาด|ไม่สามารถ|ไม่ถูกต้อง|त्रुटि|विफल|असफल|अमान्य|ব্যর্থ|ত্রুটি|தோல்வி|பிழை|შეცდომა|սխալ/u,
];

/** Words by which pages ask for another try: a problem, unless the page also says that it went well. */
const demands = [
  /\b(?:can ?not|can[’']t|(?:is|are|was|were|has|have|had|did|does|will|would)(?:n[’']t| not)|please (?:\w+ )?(?:enter|choose|select|fill|provide|correct|complete|try|specify|pick|add|use|accept|agree|log in|sign in)|must (?:be|have|contain|match|not|accept|agree|choose|select|enter)|(?:is|are|fields?) required|required field|try again|already (?:taken|in use|exists?|registered|booked|reserved|used)|(?:is|are|been) taken|(?:is|has|have) expired|locked|blocked|suspended|too (?:short|long|many|few|large|small|weak|late|early)|do(?:es)? not match|mismatch|missing|at least \d+|no longer|exceed(?:s|ed)?|wrong|not (?:a|an) valid)\b/iu,
  /\b(?:bitte (?:\p{L}+ )*(?:eingeben|wählen|auswählen|ausfüllen|angeben|prüfen)|bitte (?:geben|wählen|füllen|prüfen)|muss|erforderlich|pflichtfeld|bereits (?:vergeben|vorhanden|registriert)|gesperrt|abgelaufen|zu (?:kurz|lang|viele))\b/iu,
  /(?<!\p{L})(?:veuillez|obligatoire|déjà (?:pris|utilisé|existant)\p{L}*|expiré|verrouillé|por favor,? (?:introduzca|seleccione|elija|complete|int[eé]ntelo)|obligatori[oa]|ya (?:existe|está en uso)|caducad[oa]|bloquead[oa]|inserire|selezionare|riprova|già (?:in uso|esistente)|scadut[oa]|bloccat[oa]|obrigatóri[oa]|já existe|tente novamente|verplicht|al in gebruik|verlopen|geblokkeerd|probeer|wymagan\p{L}*|już istnieje|обязательн\p{L}*|уже существует|введите|выберите|заблокирован\p{L}*)(?!\p{L})/iu,
  /入力してください|選択してください|必須|既に|请输入|请选择|必填|已存在|입력해|선택해/u,
];

/** Words by which pages say that it went well. */
const successes =
  /(?<!(?:\b(?:not|nicht|pas|no|non|não|niet)|n[’']t) (?:(?:be|been|yet|\p{L}+ly) ){0,2})\b(?:success(?:ful|fully)?|saved|sent|booked|reserved|ordered|placed|paid|added|created|updated|deleted|removed|changed|submitted|accepted|completed?|registered|confirmed|subscribed|thank(?:s| you)|welcome|done|erfolgreich|gespeichert|gesendet|danke|merci|enregistrée?|envoyée?|gracias|guardad[oa]|enviad[oa]|grazie|salvat[oa]|inviat[oa]|obrigad[oa]|bedankt|opgeslagen|verzonden)\b/iu;

/**
 * Returns whether a text of a page states a failure, in the most common languages of the web; false for any other language.
 */
export function saysFailure(text: string): boolean {
  const bare = text.replaceAll(denials, " ");
  if (isFailure(bare)) return true;
  return demands.some((pattern) => pattern.test(bare)) && !saysSuccess(bare);
}

/** Returns whether a text of a page states a success. */
export function saysSuccess(text: string): boolean {
  return successes.test(text);
}

/** Returns whether a text states a failure, rather than a demand such as "please enter". */
export function isFailure(text: string): boolean {
  return failures.some((pattern) => pattern.test(text.replaceAll(denials, " ")));
}

/** Placeholders of content, and words that show that a page is busy. */
export const busyWords =
  /^(?:(?:(?:is |still )?(?:loading|fetching|saving|sending|submitting|processing|uploading|updating|deleting|searching)|lädt|wird (?:geladen|gespeichert|gesendet|verarbeitet)|lade|speichern|chargement|enregistrement|envoi|cargando|guardando|enviando|caricamento|salvataggio|invio|carregando|salvando|laden|opslaan|bezig met laden|ładowanie|zapisywanie|загрузка|сохранение|отправка)(?: .{0,40})?(?:…|\.{2,3})|loading|please wait[.…!]*|one moment[.…!]*|lädt|wird geladen|bitte warten[.…!]*|chargement|veuillez patienter[.…!]*|cargando|un momento[.…!]*|caricamento|carregando|ładowanie|загрузка|読み込み中[.…]*|処理中[.…]*|加载中[.…]*|載入中[.…]*|正在(?:加载|保存|提交)[.…]*|로딩 ?중[.…]*)$/iu;

/** Returns whether a text says that content is still loading, and nothing else. */
export function isLoading(text: string): boolean {
  return text.length <= 80 && busyWords.test(text);
}
