/**
 * Statuses that are caused by the setup, and not by the target, when they answer a request that is valid: only the person who runs the
 * suite knows whether the key, the session, its quota and its state are right.
 *
 * Source: RFC 9110, sections 15.5 and 15.6; the others are in the registry of status codes: RFC 4918 (423, 424), RFC 8470 (425), RFC 7725
 * (451), RFC 6585 (511).
 */
const ofSetup: Readonly<Record<number, string>> = {
  401: "Is the API key valid for this target?",
  402: "Is the quota or the credit of this key used up?",
  403: "May this API key use this session?",
  404: "Does the session exist?",
  407: "Does a proxy before the target ask for credentials of its own?",
  409: "Is the session in the right state?",
  410: "Does the session still exist?",
  423: "Is the session locked, as by another client?",
  424: "Did something fail that the session depends on?",
  425: "Is the session ready?",
  451: "Is access denied for legal reasons, as in this country?",
  511: "Does the network between ask to log in?",
};

/**
 * Statuses of temporary conditions: the next request may be answered differently. Those that are not in the registry are in use by gateways
 * and hosts.
 *
 * Source: RFC 9110, sections 15.5.9 (408), 15.6.3 (502), 15.6.4 (503), 15.6.5 (504); RFC 6585 (429), RFC 4918 (507), RFC 5842 (508).
 */
const ofMoment: Readonly<Record<number, string>> = {
  408: "Is the connection slow, or the target?",
  429: "Is the rate of this key exhausted?",
  502: "Is the target behind the gateway up?",
  503: "Is the target up?",
  504: "Is the target behind the gateway up, and quick enough?",
  507: "Is the target's storage full, or that of this key?",
  508: "Are the target's resources used up?",
  509: "Is the bandwidth of the target or of this key used up?",
  ...Object.fromEntries(
    [520, 521, 522, 523, 524, 525, 526, 527, 530, 598, 599].map((status) => [
      status,
      "Does the gateway reach the target?",
    ]),
  ),
  529: "Is the target overloaded?",
};

/** Statuses that ask to wait, as those do that limit the rate of requests, of invalid ones and of attempts with wrong keys as well. */
const waiting: ReadonlySet<number> = new Set([429, 503]);

/** Returns whether a status asks to retry later, whatever is wrong with the request. */
export const asksToWait = (status: number): boolean => waiting.has(status);

/** Returns whether a status is that of a temporary condition: a limit of rate or of resources, a gateway, an overload. */
export const isMomentary = (status: number): boolean => Object.hasOwn(ofMoment, status);

/**
 * Returns a hint on what to check where a valid request is answered with a status that the setup or a temporary condition may cause;
 * undefined for every other status, 500 among them.
 */
export const findSetupHint = (status: number): string | undefined => ofSetup[status] ?? ofMoment[status];

/**
 * Returns whether this status, as the response to an invalid request, may be caused by the setup: the key, the session or the
 * address. The other exchanges of a run can decide that.
 */
export const isAmbiguous = (status: number): boolean => Object.hasOwn(ofSetup, status);
