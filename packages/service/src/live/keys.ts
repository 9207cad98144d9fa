/** Codes of keys that write nothing, or another text than their name (`KeyboardEvent.keyCode`). */
const codes: Readonly<Record<string, number>> = {
  Backspace: 8,
  Tab: 9,
  Enter: 13,
  Shift: 16,
  Control: 17,
  Alt: 18,
  Pause: 19,
  CapsLock: 20,
  Escape: 27,
  " ": 32,
  PageUp: 33,
  PageDown: 34,
  End: 35,
  Home: 36,
  ArrowLeft: 37,
  ArrowUp: 38,
  ArrowRight: 39,
  ArrowDown: 40,
  Insert: 45,
  Delete: 46,
  Meta: 91,
  ContextMenu: 93,
};

/** Control and Meta: keys that are pressed with them are commands, and write nothing. */
const commandModifiers = 2 | 4;

/** Returns the `keyCode` of a key that is named as in `KeyboardEvent.key`; 0 where it has none. */
export function computeKeyCode(key: string): number {
  const [, functionKey] = /^F(\d{1,2})$/.exec(key) ?? [];
  if (functionKey !== undefined) return 111 + Number(functionKey);
  return codes[key] ?? (/^[a-z\d]$/i.test(key) ? key.toUpperCase().charCodeAt(0) : 0);
}

/** Returns what a key writes; undefined when it writes nothing. */
export function findKeyText(key: string, modifiers: number): string | undefined {
  if ((modifiers & commandModifiers) !== 0) return undefined;
  if (key === "Enter") return "\r";
  return /^.$/su.test(key) ? key : undefined;
}
