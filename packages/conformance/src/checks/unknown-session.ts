/** Identifier of a session that no server can know: it is made for this purpose. */
export const unknownSession = "00000000-0000-4000-8000-000000000000";
