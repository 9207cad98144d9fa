/** Irregular plurals: the singular and the plural. */
const irregular = (
  "person people, man men, woman women, child children, foot feet, tooth teeth, mouse mice, " +
  "criterion criteria, phenomenon phenomena, leaf leaves, shelf shelves, half halves, knife knives, " +
  "life lives, wife wives, wolf wolves, thief thieves, index indices, analysis analyses, thesis theses, " +
  "crisis crises, basis bases, bus buses, gas gases, lens lenses, status statuses, virus viruses, " +
  "bonus bonuses, campus campuses, quiz quizzes"
)
  .split(", ")
  .map((pair) => pair.split(" "));

/** Words that end in "s" in the singular, or have no plural. */
const singular =
  /(?:ss|us|is)$|^(?:news|lens|gas|always|less|this|its|his|hers|ours|yes|plus|minus|bias|atlas|canvas|alias|pancreas|christmas|mathematics|physics|politics|economics|statistics|athletics|ethics|chess|species|series|means|headquarters)$/;

/** Plurals in "-ies" of words in "-ie": "cookies". */
const inIe =
  /^(?:movie|cookie|calorie|zombie|selfie|rookie|genie|brownie|smoothie|pie|tie|die|lie|hoodie|newbie|foodie|walkie|collie|eerie|indie|series|species|specialtie|aussie|birdie|bogie|caddie|cutie|junkie|laddie|pixie|prairie|talkie|veggie|wienie|necktie|magpie|auntie|sortie|budgie|bookie|goalie|groupie|hippie|freebie|quickie|sweetie|townie|yuppie|eyrie|menagerie|lingerie|reverie|camaraderie|rotisserie|patisserie|brasserie)s$/;

/** Plurals in "-es" after a sibilant. */
const inE = /.(?:ches|shes|sses|xes|zzes)$/;

/** Returns the singular of the last word of a phrase; undefined if it is no plural. */
export function toSingular(phrase: string): string | undefined {
  const [, before = "", word = ""] = /^(.*?)([\p{L}\p{N}'’]+)$/su.exec(phrase.toLowerCase()) ?? [];
  const pair = irregular.find(([, several]) => several === word);
  if (pair) return before + pair[0];
  if (!word.endsWith("s") || word.length < 3 || singular.test(word) || irregular.some(([one]) => one === word))
    return undefined;
  if (word.endsWith("ies") && word.length > 4)
    return before + (inIe.test(word) ? word.slice(0, -1) : `${word.slice(0, -3)}y`);
  if (/(?:oes)$/.test(word) && !/(?:shoes|toes|canoes|hoes|foes|does)$/.test(word)) return before + word.slice(0, -2);
  if (inE.test(word) && !/(?:caches|aches|avalanches|headaches|niches|axes|quiches|creches|moustaches)$/.test(word))
    return before + word.slice(0, -2);
  return before + word.slice(0, -1);
}

/** Returns the plural of the last word of a phrase. */
export function toPlural(phrase: string): string {
  const [, before = "", word = ""] = /^(.*?)([\p{L}\p{N}'’]+)$/su.exec(phrase) ?? [];
  if (word === "") return phrase;
  const pair = irregular.find(([one]) => one === word.toLowerCase());
  if (pair) return before + pair[1];
  if (/[^aeiou]y$/i.test(word)) return `${before}${word.slice(0, -1)}ies`;
  return before + (/(?:s|x|z|ch|sh)$/i.test(word) ? `${word}es` : `${word}s`);
}
