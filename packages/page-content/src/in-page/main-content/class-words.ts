/** Words of class names and ids that pages use for the same thing, a group each; the order is the order of bits. */
const groupsOfWords: readonly string[] = [
  "nav navbar navigation menu submenu topnav sidenav megamenu menuitem",
  "footer foot bottom colophon",
  "header masthead topbar head banner",
  "sidebar aside rail side secondary widget widgets",
  "comment comments disqus respond reply replies commentlist",
  "related recommended recommendation recommendations more similar suggested suggestions read next trending popular recent latest upsell cross",
  "share sharing social facebook twitter linkedin pinterest whatsapp addthis follow",
  "ad ads adv advert advertisement sponsor sponsored promo promotion adsense outbrain taboola callout cta",
  "cookie cookies consent gdpr modal popup overlay lightbox dialog drawer offcanvas toast alert notice",
  "newsletter subscribe signup subscription optin mailchimp register login signin account",
  "breadcrumb breadcrumbs crumbs crumb",
  "meta byline author date published timestamp posted info dateline",
  "tag tags category categories topic topics label labels cat",
  "pagination pager paging prev previous paginate",
  "content body text copy main richtext rte wysiwyg",
  "article post entry story blog news single",
  "title headline heading",
  "product price sku buy cart pdp variant shop woocommerce",
  "description desc summary excerpt intro lead lede teaser abstract",
  "review reviews rating ratings stars testimonial testimonials",
  "thread message messages forum postbody discussion answer answers question",
  "item items card cards tile tiles grid listing listings result results loop",
  "search form filter filters facet facets sort sorting",
  "caption gallery slider carousel slideshow swiper slick image figure photo thumbnail thumb",
  "action actions button btn buttons tools toolbar print icon toggle",
  "skip hidden sr screen reader visually hide",
  "bio avatar profile user username member signature",
  "accordion tab tabs panel panels faq collapse collapsible expander",
  "toc contents",
  "docs doc markdown documentation reference code api highlight",
  "hero feature features section block row module",
];

/** Number of groups. */
export const classGroupCount = groupsOfWords.length;

const groupOfWord = new Map<string, number>(
  groupsOfWords.flatMap((words, group) => words.split(" ").map((word): [string, number] => [word, group])),
);
/** The groups of some words together, a bit each. */
export function classGroupBit(...words: readonly string[]): number {
  return words.reduce((bits, word) => bits | (1 << (groupOfWord.get(word) ?? classGroupCount)), 0);
}

const maxReadLength = 400;
const known = new Map<string, number>();
const knownLimit = 5000;

/** The groups that the words of a class attribute and an id belong to, a bit each. */
export function findClassGroups(classes: string, id: string): number {
  if (classes === "" && id === "") return 0;
  const names = `${classes.slice(0, maxReadLength)} ${id.slice(0, maxReadLength)}`;
  let groups = known.get(names);
  if (groups !== undefined) return groups;
  groups = 0;
  for (const [word] of names.matchAll(/[A-Z]?[a-z]+|[A-Z]+/g)) {
    const group = groupOfWord.get(word.toLowerCase());
    if (group !== undefined) groups |= 1 << group;
  }
  if (known.size >= knownLimit) known.clear();
  known.set(names, groups);
  return groups;
}
