/** Answer to a dialog that a step opens. */
export interface DialogAnswer {
  /** Kind of the dialog. */
  readonly type: "confirm" | "prompt" | "beforeunload";
  /** Its whole message. A dialog with another message is not answered. */
  readonly message: string;
  /** False to dismiss it. */
  readonly accept: boolean;
  /** Text for an accepted `prompt`. Default: the text that the prompt offers. */
  readonly text?: string;
}
