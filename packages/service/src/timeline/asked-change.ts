/** Change that somebody makes to a tab, not by an act on its page. `history` is a jump of which the direction is unknown. */
export type AskedChange =
  | { readonly kind: "address"; readonly url: string }
  | { readonly kind: "back" | "forward" | "reload" | "history" }
  | { readonly kind: "close" };
