export { diffContracts, type ContractDiff } from "./contract-diff.ts";
export { ContractError, type ContractErrorCode } from "./contract-error.ts";
export type { ChangeClass, ContractChange } from "./changes.ts";
export { parseContract, readContract, type ContractDocument, type Node } from "./document.ts";
