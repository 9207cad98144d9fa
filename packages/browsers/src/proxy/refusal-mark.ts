/** Attribute of the root element of the egress proxy's own error pages. Scrapes skip frames with it. */
export const refusalMark = "data-cloud-browser-refusal";
