/** Seed of all generated cases, so that each run has the same ones. Others come with another seed: `SEED=7 npx vitest run …`. */
export const seed = Number(process.env["SEED"] ?? 20_260_801);
