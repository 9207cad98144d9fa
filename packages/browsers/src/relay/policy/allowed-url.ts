/** Anchored at the first character: leading white space, which Chromium skips, is not allowed. */
const allowed = /^(?:https?:|data:|blob:|about:(?:blank|srcdoc)(?:[?#]|$))/i;

/**
 * Returns whether a client may open a URL: http, https, data, blob, about:blank.
 *
 * All others expose the machine (`file:`, `view-source:`) or the browser
 * (`chrome:`, `devtools:`, and most of `about:`, which Chromium maps to `chrome:`).
 */
export const isAllowedUrl = (address: string): boolean => address === "" || allowed.test(address);

/** CDP error for a blocked URL. */
export const urlRefused = "Address blocked: a session opens http:, https:, data:, blob: and about:blank only.";
