/** How a dialog that a step leads to is answered. */
export interface DialogAnswer {
  /** Kind of the dialog. */
  readonly type: "confirm" | "prompt" | "beforeunload";
  /** Its whole message: one with another message is not answered. */
  readonly message: string;
  /** False to dismiss it. */
  readonly accept: boolean;
  /** Text for a `prompt` that is accepted. Default: that which it offers. */
  readonly text?: string;
}
