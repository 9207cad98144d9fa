/**
 * Category of a refused contract.
 *
 * - `unreadable`: the file can't be read, or is neither YAML nor JSON.
 * - `not-openapi`: the document is not one of OpenAPI 3.1 or 3.2.
 * - `bad-reference`: a reference leads nowhere, in a circle, or out of the document.
 */
export type ContractErrorCode = "unreadable" | "not-openapi" | "bad-reference";

/** The only error class of this package: a contract that can't be compared. */
export class ContractError extends Error {
  /** Always `ContractError`. */
  override readonly name = "ContractError";
  /** Category of the refusal, from a closed list. */
  readonly code: ContractErrorCode;

  constructor(code: ContractErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}
