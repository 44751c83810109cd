/** Reflected polynomial of CRC-32 (ISO 3309), as zip archives use it. */
const POLYNOMIAL = 0xedb88320;

const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ POLYNOMIAL : value >>> 1;
  return value;
});

/** Continues the CRC-32 `sum` of earlier bytes; 0 at the start. */
export function crc32(bytes: Uint8Array, sum: number): number {
  let value = ~sum;
  for (const byte of bytes) value = (value >>> 8) ^ (table[(value ^ byte) & 0xff] ?? 0);
  return ~value >>> 0;
}
