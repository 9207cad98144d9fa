/** Attribute of the egress proxy's own error pages, by which they are recognized in a frame. */
export const refusalMark = "data-cloud-browser-refusal";
