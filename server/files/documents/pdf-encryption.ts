/** Bytes around the name of a crypt filter in which the rest of its dictionary is. */
const DICTIONARY_BYTES = 2000;
const [CIPHERS, REFERENCE] = [/\/(?:StmF|StrF)\s*\/(\w+)/g, /^\/Encrypt\s*(?:<<|\d+\s+\d+\s+R)/];
const ENCRYPT = "/Encrypt";

/**
 * Makes the dictionary of encryption of a PDF unknown if only its attachments are encrypted: its text needs no password,
 * but pdf.js asks for one, unless the dictionary says when (`EFOpen`). Changes the bytes.
 * @see ISO 32000-2, 7.6.2, table 20 (`EFF`, `StmF`, `StrF`)
 */
export function forgetAttachmentEncryption(bytes: Uint8Array): void {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const filter = file.indexOf("/EFF");
  if (filter === -1) return;
  const around = file.toString("latin1", Math.max(0, filter - DICTIONARY_BYTES), filter + DICTIONARY_BYTES);
  if (!/\/Standard\b/.test(around) || !/\/CF\b/.test(around)) return;
  if ([...around.matchAll(CIPHERS)].some(([, name]) => name !== "Identity")) return;
  for (let at = file.indexOf(ENCRYPT); at !== -1; at = file.indexOf(ENCRYPT, at + 1)) {
    if (REFERENCE.test(file.toString("latin1", at, at + 40))) file.write("/Unknown", at, "latin1");
  }
}
