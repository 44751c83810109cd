/**
 * Whether the `exp` claim of a JWT (seconds since 1970) is in the past. A token that cannot be decoded, or has no
 * `exp`, counts as not expired: the server decides.
 */
export function isTokenExpired(token: string, nowMs: number = Date.now()): boolean {
  const exp = expirySeconds(token);
  return exp !== null && exp * 1000 < nowMs;
}

function expirySeconds(token: string): number | null {
  const payload = token.split(".")[1];
  if (!payload) return null;
  try {
    const claims: unknown = JSON.parse(fromBase64Url(payload));
    if (typeof claims !== "object" || claims === null || !("exp" in claims)) return null;
    return typeof claims.exp === "number" && Number.isFinite(claims.exp) ? claims.exp : null;
  } catch {
    return null;
  }
}

function fromBase64Url(text: string): string {
  const bytes = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (char) => char.charCodeAt(0));
  return new TextDecoder().decode(bytes);
}
