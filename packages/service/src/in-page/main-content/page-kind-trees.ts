/** Trees that tell how likely a page is of each kind. Made by bench/extraction-train.ts. Source: ours. */
export const pageKindTrees: readonly string[] = [`0`, `0`, `0`, `0`, `0`, `0`, `0`];
