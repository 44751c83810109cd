/** Creates an idempotency key. Not `crypto.randomUUID`, which is missing on pages served over plain HTTP. */
export function newRequestKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
