/** Read from the very first character: what Chromium would skip there (blanks, line ends) is no address here. */
const allowed = /^(?:https?:|data:|blob:|about:(?:blank|srcdoc)(?:[?#]|$))/i;

/**
 * Tells whether a client may open an address: http, https, data, blob, about:blank.
 *
 * Every other one either shows what the machine has (`file:`, `view-source:`) or what the browser has
 * (`chrome:`, `devtools:`, and most of `about:`, which Chromium takes for `chrome:`).
 */
export const isAllowedAddress = (address: string): boolean => address === "" || allowed.test(address);

/** CDP error when an address is blocked. */
export const addressRefused = "Address blocked: a session opens http:, https:, data:, blob: and about:blank only.";
