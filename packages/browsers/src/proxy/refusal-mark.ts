/** Attribute of the root element of every page that the egress proxy answers with itself. Scrapes leave such frames out. */
export const refusalMark = "data-cloud-browser-refusal";
