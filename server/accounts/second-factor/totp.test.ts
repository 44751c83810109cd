import { describe, expect, it } from "vitest";
import { SECOND } from "#contract/limits.ts";
import { fromBase32, toBase32 } from "./base32.ts";
import { hashRecoveryCode, newRecoveryCodes, readCode } from "./recovery-codes.ts";
import { findStep, newTotpSecret, stepAt, totpCode } from "./totp.ts";

const bytes = (text: string) => new Uint8Array(Buffer.from(text));

/** RFC 6238, appendix B: Unix time in seconds, and the code of eight digits with SHA-1. */
const vectors: [number, string][] = [
  [59, "94287082"],
  [1_111_111_109, "07081804"],
  [1_111_111_111, "14050471"],
  [1_234_567_890, "89005924"],
  [2_000_000_000, "69279037"],
  [20_000_000_000, "65353130"],
];
const secret = bytes("12345678901234567890");

describe("codes of an authenticator app", () => {
  it.each(vectors)("O1 the code at %i s is that of RFC 6238", (seconds, code) => {
    expect(totpCode(secret, stepAt(seconds * SECOND), 8)).toBe(code);
    expect(totpCode(secret, stepAt(seconds * SECOND))).toBe(code.slice(2));
  });

  it("O1 a code of the step before, of the current one and of the next one is accepted, and no other", () => {
    const now = 1_234_567_890 * SECOND;
    const offsets = [-3, -2, -1, 0, 1, 2, 3].filter((offset) => {
      const step = stepAt(now) + offset;
      return findStep(secret, totpCode(secret, step), now, -1) === step;
    });
    expect(offsets).toEqual([-1, 0, 1]);
  });

  it("O1 a code of a step that is not after the last accepted one is refused", () => {
    const now = 1_234_567_890 * SECOND;
    const code = totpCode(secret, stepAt(now));
    expect(findStep(secret, code, now, stepAt(now) - 1)).toBe(stepAt(now));
    expect(findStep(secret, code, now, stepAt(now))).toBeUndefined();
  });

  it.each(["", "1", "12345", "1234567", "abcdef", "１２３４５６"])("the text %j is no code of any step", (code) => {
    expect(findStep(secret, code, 0, -1)).toBeUndefined();
  });

  it("new secrets have 160 bits and differ", () => {
    const secrets = Array.from({ length: 100 }, () => toBase32(newTotpSecret()));
    expect(new Set(secrets).size).toBe(100);
    expect(secrets.every((made) => made.length === 32)).toBe(true);
  });
});

describe("base32", () => {
  // RFC 4648, section 10.
  it.each([
    ["", ""],
    ["f", "MY"],
    ["fo", "MZXQ"],
    ["foo", "MZXW6"],
    ["foob", "MZXW6YQ"],
    ["fooba", "MZXW6YTB"],
    ["foobar", "MZXW6YTBOI"],
  ])("the bytes of %j are written as %j, and read again", (text, encoded) => {
    expect(toBase32(bytes(text))).toBe(encoded);
    expect(fromBase32(encoded)).toEqual(bytes(text));
  });
});

describe("recovery codes", () => {
  it("O2 ten different recovery codes have 80 bits each", () => {
    const codes = newRecoveryCodes();
    expect(new Set(codes).size).toBe(10);
    expect(codes.every((code) => /^(?:[A-Z2-7]{4}-){3}[A-Z2-7]{4}$/.test(code))).toBe(true);
  });

  it.each([
    ["123456", "totp", "123456"],
    [" 123 456 ", "totp", "123456"],
    ["123-456", "totp", "123456"],
    ["١٢٣٤٥٦", "totp", "123456"],
    ["۱۲۳۴۵۶", "totp", "123456"],
    ["１２３４５６", "totp", "123456"],
    ["ABCD-EFGH-IJKL-MN27", "recovery", "ABCDEFGHIJKLMN27"],
    ["abcd efgh ijkl mn27", "recovery", "ABCDEFGHIJKLMN27"],
    ["abcd–efgh–ijkl–mn27", "recovery", "ABCDEFGHIJKLMN27"],
    ["0BCD1FGH8JKLMN27", "recovery", "OBCDIFGHBJKLMN27"],
  ])("the typed code %j is a code of %s", (typed, kind, code) => {
    expect(readCode(typed)).toEqual({ kind, code });
  });

  it.each(["", "12345", "1234567", "ABCD-EFGH-IJKL", "ABCD-EFGH-IJKL-MN29", "<script>"])(
    "the typed text %j is no code",
    (typed) => {
      expect(readCode(typed)).toBeUndefined();
    },
  );

  it("O2 a recovery code is stored as a hash", () => {
    expect(hashRecoveryCode("ABCDEFGHIJKLMN27")).toMatch(/^[\da-f]{64}$/);
  });
});
