/** Trees that tell how likely a block is main content. Made by bench/extraction-train.ts. Source: ours. */
export const blockTrees = `0`;
