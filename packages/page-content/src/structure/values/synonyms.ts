import { foldName } from "./names.ts";

/**
 * Names of properties in schemas, and where pages declare them: paths of properties of schema.org, of Open Graph and of labels,
 * the surest first. A name that is in no line is looked up as it is.
 */
const synonymLines: readonly (readonly [names: string, paths: string])[] = [
  [
    "name, product name, item name, event name, full name, company name, organization name, job title, recipe name",
    "name, headline, title, legalName",
  ],
  [
    "title, headline, heading, page title, article title, product title",
    "headline, name, title, og:title, twitter:title, heading, page title",
  ],
  ["description, summary, abstract, excerpt, teaser", "description, abstract, og:description, twitter:description"],
  ["url, link, href, web address, canonical url, page url, product url, event url", "url, canonical, og:url, website"],
  [
    "image, image url, photo, picture, thumbnail, thumbnail url, main image, cover, cover image",
    "image, thumbnailUrl, photo, og:image, twitter:image, image.url",
  ],
  [
    "price, amount, current price, sale price, price amount, cost",
    "price, offers.price, offers.priceSpecification.price, product:price:amount, og:price:amount",
  ],
  ["low price, min price, minimum price, price from", "lowPrice, offers.lowPrice"],
  ["high price, max price, maximum price, price to", "highPrice, offers.highPrice"],
  [
    "currency, price currency, currency code",
    "priceCurrency, offers.priceCurrency, offers.priceSpecification.priceCurrency, currency, product:price:currency, og:price:currency",
  ],
  [
    "availability, in stock, is available, available, stock status",
    "availability, offers.availability, product:availability, og:availability",
  ],
  ["condition, item condition", "itemCondition, offers.itemCondition, product:condition"],
  ["seller, vendor, merchant", "seller, offers.seller"],
  ["brand, brand name, maker", "brand, brand.name, manufacturer, product:brand"],
  ["manufacturer", "manufacturer, brand"],
  ["sku, article number, item number, product id", "sku, productID, mpn, product:retailer_item_id"],
  ["variant, variation", "hasVariant"],
  ["gtin, ean, barcode, upc", "gtin, gtin13, gtin14, gtin12, gtin8"],
  [
    "rating, rating value, average rating, star, score",
    "ratingValue, aggregateRating.ratingValue, reviewRating.ratingValue, rating",
  ],
  [
    "review count, number of reviews, rating count, reviews count, number of ratings",
    "reviewCount, aggregateRating.reviewCount, ratingCount, aggregateRating.ratingCount",
  ],
  ["best rating, max rating", "bestRating, aggregateRating.bestRating"],
  ["review", "review, reviews"],
  ["review text, review body, comment", "reviewBody, text, description"],
  [
    "author, author name, writer, byline, written by, by, reviewer",
    "author, creator, author.name, article:author, byline",
  ],
  ["publisher, publisher name, site name, source", "publisher, og:site_name, application-name"],
  [
    "published, date published, published at, published date, publish date, publication date, published on, published time, posted at, date posted, date",
    "datePublished, datePosted, article:published_time, startDate, dateCreated, uploadDate, date",
  ],
  [
    "modified, date modified, modified at, updated, updated at, last updated, last modified, modified time",
    "dateModified, article:modified_time, og:updated_time",
  ],
  ["created, created at, date created", "dateCreated"],
  ["content, body, text, article body, full text", "articleBody, text, reviewBody"],
  ["section, article section", "articleSection, article:section"],
  ["category", "category, articleSection, article:section, recipeCategory, genre, product:category"],
  ["tag, keyword, topic", "keywords, article:tag, keyword, news_keywords"],
  ["language, lang, locale", "inLanguage, language, og:locale"],
  ["start, start date, starts at, start time, begin, begins at", "startDate, startTime"],
  ["end, end date, ends at, end time", "endDate, endTime"],
  ["location, venue, place, venue name, location name", "location, location.name, jobLocation, venue, place"],
  ["performer, artist, speaker", "performer, byArtist"],
  ["organizer, host", "organizer"],
  ["ingredient", "recipeIngredient, ingredients"],
  ["instruction, step, direction, method", "recipeInstructions, step"],
  ["prep time, preparation time", "prepTime"],
  ["cook time, cooking time", "cookTime"],
  ["total time", "totalTime"],
  ["serving, yield, portion", "recipeYield, yield"],
  ["calory, calorie", "nutrition.calories"],
  ["cuisine", "recipeCuisine"],
  ["company, employer, hiring organization", "hiringOrganization, worksFor"],
  ["employment type, job type", "employmentType"],
  ["expires at, valid through, closing date, deadline", "validThrough"],
  ["phone, telephone, phone number, telephone number, tel", "telephone, contactPoint.telephone, phone"],
  ["email, email address, mail", "email, contactPoint.email"],
  ["address, street address", "address, location.address, jobLocation.address"],
  ["street", "streetAddress, address.streetAddress, location.address.streetAddress"],
  [
    "city, town, locality",
    "addressLocality, address.addressLocality, location.address.addressLocality, jobLocation.address.addressLocality",
  ],
  ["region, state, province", "addressRegion, address.addressRegion, location.address.addressRegion"],
  ["postal code, zip, zip code, postcode", "postalCode, address.postalCode, location.address.postalCode"],
  ["country", "addressCountry, address.addressCountry, location.address.addressCountry"],
  ["latitude, lat", "latitude, geo.latitude, location.geo.latitude"],
  ["longitude, lng, lon", "longitude, geo.longitude, location.geo.longitude"],
  ["opening hour", "openingHours, openingHoursSpecification"],
  ["page, page count, number of pages", "numberOfPages"],
  ["isbn", "isbn, workExample.isbn, book:isbn"],
  ["actor, cast", "actor, actors"],
  ["question, faq", "name, mainEntity, question"],
  ["answer", "acceptedAnswer, acceptedAnswer.text, suggestedAnswer"],
  ["breadcrumb", "breadcrumb, breadcrumb.itemListElement"],
  ["type, kind", "@type, og:type"],
  ["spec, specification, attribute, detail, feature", "additionalProperty"],
];

const pathsByName: ReadonlyMap<string, readonly string[]> = new Map(
  synonymLines.flatMap(([names, paths]) =>
    names.split(", ").map((name) => [foldName(name), paths.split(", ").map(pathKey)] as const),
  ),
);

/** Names that nearly every item on a page has: they mean nothing without their owner. */
const general: ReadonlySet<string> = new Set(
  [
    "name",
    "title",
    "headline",
    "heading",
    "description",
    "summary",
    "url",
    "link",
    "image",
    "id",
    "type",
    "text",
    "date",
    "value",
    "content",
  ].map(foldName),
);

const imageNames: ReadonlySet<string> = new Set(
  [
    "image",
    "image url",
    "photo",
    "picture",
    "thumbnail",
    "thumbnail url",
    "main image",
    "cover",
    "cover image",
    "logo",
  ].map(foldName),
);
const linkNames: ReadonlySet<string> = new Set(
  ["url", "link", "href", "web address", "website", "canonical url", "page url", "product url", "event url"].map(
    foldName,
  ),
);

/** Paths at which a page may declare what a schema calls by this key, those of the very key first; parts of a path are keys. */
export function pathsFor(key: string): readonly string[] {
  const paths = pathsByName.get(key) ?? [];
  return [...new Set([key, ...paths.filter((path) => path.endsWith(`.${key}`)), ...paths])];
}

/** Returns whether a key is ambiguous without its context. */
export function isGeneral(key: string): boolean {
  return general.has(key);
}

/** Returns the kind of URL that a key names, if it names one. */
export function addressKind(key: string): "image" | "link" | undefined {
  return imageNames.has(key) ? "image" : linkNames.has(key) ? "link" : undefined;
}

function pathKey(path: string): string {
  return path.split(".").map(foldName).join(".");
}
