/** A new name for one intended request. Not `crypto.randomUUID`: that one is missing on pages served over plain http. */
export function newRequestKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
