/** Unique marker words of the fixture site, in lower-case letters, which no Markdown dialect escapes. Those in addresses are in no text. */
export const markers = {
  /** In the main part of the article: every kind of content, outside of the chosen section. */
  content: {
    heading: "ostrevane",
    subheading: "calmirith",
    paragraph: "brindolake",
    "second sentence of a paragraph": "welsparrow",
    "second paragraph": "tormarigold",
    quotation: "silvermothe",
    "list item": "fennadale",
    "nested list item": "hollowick",
    "second list item": "quaybramble",
    "item of a numbered list": "pastelgrove",
    "second item of a numbered list": "gangwillow",
    "code block": "grantulope",
  },
  /** Paragraphs of the main part: what every notion of main content keeps. */
  main: { paragraph: "brindolake", "second paragraph": "tormarigold" },
  /** Word that a script writes when the page loads; the source of the page does not have it. */
  rendered: { "text that a script wrote": "velquartzen" },
  /** Words in `section#chosen`. */
  chosen: { "heading of the section": "cindervale", "paragraph of the section": "larkenstow" },
  /** Words in `table` and in `aside`, two tags that a scrape can ignore. */
  table: {
    "header of the table": "kelvarine",
    "second header of the table": "vesselthorn",
    "cell of the table": "mossofern",
    "second cell of the table": "fourteenoak",
  },
  aside: { "text of the aside": "wrenaside" },
  /** Words around the main part, which a scrape can leave out. */
  navigation: { "navigation bar": "navimarsh", "second item of the navigation bar": "navitarne" },
  footer: { footer: "footbriar" },
  /** The page with the product, on which the second session ends up. */
  product: { "name of the product": "ambervessel", "description of the product": "quilloran" },
  /** The page on which the second session is opened, and which leads on to the product. */
  start: { "page that was left": "startfalcone" },
  /** On the long page, as it is when it has loaded; all of it is gone a while later. */
  before: { "sentence that changes": "ebbwandel", "paragraph that is removed": "driftlorne" },
  /** On the long page, once it has changed itself; its source does not have the words. */
  after: { "sentence that has changed": "floodmerrow", "paragraph that was added": "springkessel" },
  /** In the documents of the frames of the long page, one within the other. */
  frames: { frame: "frameolsen", "frame within the frame": "framepinnace" },
  /** In the source of the long page, where it is not rendered. */
  source: { comment: "remarkgunwale", "source of a script": "scriptbollard", "style sheet": "stylecapstan" },
} as const;

/** Words in the addresses of links, by what they are. */
export const linkMarkers = {
  "relative link": "lnkotter",
  "absolute link": "lnkheron",
  "link with a query": "lnkbadger",
} as const;

/** Words in the texts of the same links. */
export const linkTextMarkers = ["textsandpiper", "textcurlew", "textdunlin"] as const;

/** Words in the addresses of images, by what they are. */
export const imageMarkers = {
  content: "imgpelican",
  "second content": "imgpuffin",
  decorative: "imgflourish",
  icon: "imgcompass",
  favicon: "imgbeacon",
  svg: "imgwindrose",
} as const;
