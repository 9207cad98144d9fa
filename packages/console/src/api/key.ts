import { signal } from "@preact/signals";

const name = "cloud-browser-key";

/** API key of this tab; undefined before signing in. It is kept until the tab is closed, and nowhere else. */
export const apiKey = signal<string | undefined>(sessionStorage.getItem(name) ?? undefined);

/** Keeps a key for this tab. */
export function signIn(key: string): void {
  sessionStorage.setItem(name, key);
  apiKey.value = key;
}

/** Forgets the key. */
export function signOut(): void {
  sessionStorage.removeItem(name);
  apiKey.value = undefined;
}
