/** Attribute by which the pages that this service itself answers with are known where they stand in a frame. */
export const refusalMark = "data-cloud-browser-refusal";
