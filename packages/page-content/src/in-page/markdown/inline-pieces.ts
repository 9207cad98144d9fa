/** Mark around text: emphasis, or a link. */
export type InlineMark =
  | { readonly type: "strong" | "em" | "del" }
  | {
      readonly type: "link";
      /** Destination after the brackets: `(https://…)`, or `[link1]`. */
      readonly destination: string;
      /** True when the link is moved to a heading within it, so that what comes before stays text. */
      readonly waitsForHeading: boolean;
      /** True when a text has it already: a link stands once, however many paragraphs it went over. */
      used: boolean;
    };

/** One step of a text that is gathered. */
export type InlinePiece =
  | { readonly kind: "text" | "raw"; text: string }
  | { readonly kind: "space" | "break" }
  | {
      readonly kind: "open" | "close";
      readonly mark: InlineMark;
      /** Markdown sign; undefined until that is decided, and where Markdown can't express it. */
      sign: string | undefined;
    };
