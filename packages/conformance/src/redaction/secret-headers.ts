/** Returns whether an extra header carries a secret, by its name. */
export function isSecretHeader(name: string): boolean {
  return /auth|token|key|secret|cookie|pass|credential|bypass|signature|session/i.test(name);
}

/** Returns the values of extra headers that look like secrets, by their name or by their form: they are redacted everywhere. */
export function secretHeaderValues(headers: Readonly<Record<string, string>> = {}): string[] {
  return Object.entries(headers).flatMap(([name, value]) => {
    const byForm = /^(bearer|basic) /i.test(value) || /^(?=.*\d)[\w.~+/=-]{20,}$/.test(value);
    return isSecretHeader(name) || byForm ? [value, value.replace(/^(bearer|basic) /i, "")] : [];
  });
}
