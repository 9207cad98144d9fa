/* oxlint-disable unicorn/consistent-function-scoping -- runs in the page, too, where it can't use anything outside of it */

/**
 * Replaces numbers in words by digits: "over a hundred reviews" becomes "over 100 reviews", "ninety-seven" 97, "dozens of" "24+". In other
 * languages than English only round numbers after a word such as "über", and "Hunderte". Uses nothing outside of itself, so its text can be
 * evaluated in a page.
 */
export function writeNumbersAsDigits(text: string): string {
  const small =
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(
      " ",
    );
  const tens = "twenty thirty forty fifty sixty seventy eighty ninety".split(" ");
  const factors: Readonly<Record<string, number>> = { dozen: 12, hundred: 100, thousand: 1000, million: 1_000_000 };
  const words = [...small, ...tens, ...Object.keys(factors)].join("|");
  const parse = (phrase: string): number => {
    let sum = 0;
    let part = 0;
    for (const word of phrase.toLowerCase().split(/[\s-]+/)) {
      const factor = factors[word];
      const ten = tens.indexOf(word);
      if (factor !== undefined && factor >= 1000) {
        sum += (part || 1) * factor;
        part = 0;
      } else if (factor !== undefined) part = (part || 1) * factor;
      else if (ten >= 0) part += 20 + 10 * ten;
      else part += Math.max(0, small.indexOf(word));
    }
    return sum + part;
  };
  const some: readonly (readonly [number, string])[] = [
    [24, "dozens|dutzende|douzaines|docenas|dozzine|dúzias|tientallen"],
    [200, "(?:several |(?:a )?few )?hundreds?|hunderte|centaines|cientos|centenares|centinaia|centenas|honderden"],
    [2000, "(?:several |(?:a )?few )?thousands?|tausende|milliers|miles|migliaia|milhares|duizenden"],
  ];
  const rounds: readonly (readonly [number, string])[] = [
    [12, "dutzend|douzaine|docena|dozzina|dúzia|dozijn"],
    [100, "hundert|cent|cien|cento|cem|honderd"],
    [1000, "tausend|mille|mil|duizend"],
  ];
  const about =
    "mehr als|über|etwa|rund|fast|knapp|plus de|près de|environ|más de|cerca de|casi|mais de|quase|più di|oltre|circa|meer dan|ongeveer|bijna";
  let digits = text;
  // "hundreds of", not "two hundred": a plural, or one after "several".
  for (const [number, names] of some)
    digits = digits.replace(
      new RegExp(
        `(?<![\\p{L}\\d]|(?:${words}|\\ba|\\d)[\\s-])(?:${names})(?!\\p{L})(?:\\s(?:of|von|de|di|van)\\b|\\sd['’])?`,
        "giu",
      ),
      (found) => (/^(?:hundred|thousand)(?!s)/i.test(found) ? found : `${number}+${/['’]$/.test(found) ? " " : ""}`),
    );
  for (const [number, names] of rounds)
    digits = digits.replace(
      new RegExp(
        `(?<=(?<!\\p{L})(?:${about})\\s)(?:ein(?:e|em|en)?\\s?|un[ae]?\\s|uma?\\s|een\\s)?(?:${names})(?:\\s(?:de|di))?(?!\\p{L})`,
        "giu",
      ),
      String(number),
    );
  return digits.replace(
    new RegExp(
      `(?<![\\p{L}\\d]|\\d[\\s-])(?:an?\\s(?=hundred|thousand|million|dozen))?(?:${words})(?:(?:\\s|-|\\sand\\s)(?:${words}))*(?!\\p{L})`,
      "giu",
    ),
    (found) => String(parse(found.replace(/^an?\s/i, "").replaceAll(/\sand\s/gi, " "))),
  );
}
