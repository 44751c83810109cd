import { expect, test } from "vitest";
import { isTokenExpired } from "./access-token-expiry.ts";

const now = 1_800_000_000_000;
const base64Url = (value: unknown) =>
  btoa(String.fromCharCode(...new TextEncoder().encode(JSON.stringify(value))))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
const token = (claims: unknown) => `e30.${base64Url(claims)}.x`;

test("a token is expired once its exp is past", () => {
  expect(isTokenExpired(token({ exp: now / 1000 - 1 }), now)).toBe(true);
  expect(isTokenExpired(token({ exp: now / 1000 + 1 }), now)).toBe(false);
});

test("a token is decoded from base64url, including non-ASCII characters", () => {
  expect(isTokenExpired(token({ name: "Zoë ✓ ÿ??>>", exp: now / 1000 - 1 }), now)).toBe(true);
});

test.each([
  ["words", "not a token"],
  ["no JSON", "e30.!!!!.x"],
  ["no object", token("text")],
  ["no exp", token({ sub: "1" })],
  ["an exp that is no number", token({ exp: "1" })],
  ["nothing", ""],
])("a token that cannot be decoded counts as not expired: %s", (_, text) => {
  expect(isTokenExpired(text, now)).toBe(false);
});
