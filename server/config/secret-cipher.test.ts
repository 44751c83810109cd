import { expect, test } from "vitest";
import { SecretCipher } from "./secret-cipher.ts";

const OLD = "old secret of the installation, long enough";
const NEW = "new secret of the installation, long enough";
const TEXT = "sk-schlüssel-🔑";

test("a secret opens with its key and its context only", () => {
  const cipher = new SecretCipher(OLD);
  const stored = cipher.encrypt(TEXT, "connection-key:1");
  expect(stored).not.toContain("sk-");
  expect(cipher.decrypt(stored, "connection-key:1")).toEqual({ text: TEXT, isOutdated: false });
  expect(cipher.decrypt(stored, "connection-key:2")).toBeUndefined();
  expect(new SecretCipher(NEW).decrypt(stored, "connection-key:1")).toBeUndefined();
});

test("two encryptions of one text differ", () => {
  const cipher = new SecretCipher(OLD);
  expect(cipher.encrypt(TEXT, "c")).not.toBe(cipher.encrypt(TEXT, "c"));
});

test("the previous key opens older secrets, which are outdated", () => {
  const stored = new SecretCipher(OLD).encrypt(TEXT, "c");
  expect(new SecretCipher(NEW, OLD).decrypt(stored, "c")).toEqual({ text: TEXT, isOutdated: true });
});

test("a secret with one changed byte, a cut one and another version do not open", () => {
  const cipher = new SecretCipher(OLD);
  const bytes = Buffer.from(cipher.encrypt(TEXT, "c"), "base64url");
  for (let at = 0; at < bytes.length; at++) {
    const changed = Buffer.from(bytes);
    changed[at] = (changed[at] ?? 0) ^ 1;
    expect(cipher.decrypt(changed.toString("base64url"), "c")).toBeUndefined();
    expect(cipher.decrypt(bytes.subarray(0, at).toString("base64url"), "c")).toBeUndefined();
  }
});
