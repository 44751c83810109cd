import { describe, expect, test } from "vitest";
import { errorSentences } from "#contract/errors.ts";
import { ApiError, readApiError } from "../api/api-error.ts";
import { isEmailUnverified } from "../api/problem-text.ts";
import { googleErrorText, loginErrorText, registerErrorText, resendErrorText, verifyErrorText } from "./error-texts.ts";

const all = [
  { word: loginErrorText, fallback: "Login failed" },
  { word: googleErrorText, fallback: "Google login failed" },
  { word: registerErrorText, fallback: "Registration failed" },
  { word: verifyErrorText, fallback: "Email verification failed" },
  { word: resendErrorText, fallback: "Failed to resend verification email" },
];

const answered = (body: unknown, status = 400) =>
  readApiError(new Response(typeof body === "string" ? body : JSON.stringify(body), { status }));

describe.each(all)("$fallback", ({ word, fallback }) => {
  test("a known code has a text of the catalogue", async () => {
    const error = await answered({ detail: "Other words", error: "Other words", code: "too-many-requests" }, 429);
    expect(word(error)).toBe(errorSentences["too-many-requests"]);
  });

  test("an unknown code shows the detail of the response", async () => {
    expect(word(await answered({ detail: "Told by the server" }))).toBe("Told by the server");
    expect(word(await answered({ detail: "Told by the server", error: "x", code: "not-ours" }))).toBe(
      "Told by the server",
    );
  });

  test.each([
    ["an empty body", ""],
    ["a page", "<h1>Bad gateway</h1>"],
    ["JSON that is no object", "[]"],
    ["no detail", { error: "x" }],
    ["an empty detail", { detail: "" }],
    ["a detail of another kind", { detail: [{ loc: ["body"] }] }],
    ["null", { detail: null }],
  ])("any other response shows the fallback: %s", async (_, body) => {
    expect(word(await answered(body, 502))).toBe(fallback);
  });

  test("handles an unreachable server and other errors", () => {
    expect(word(new ApiError(0, "Failed to fetch", { code: "unreachable" }))).toBe(fallback);
    expect(word(new Error("Anything"))).toBe(fallback);
  });
});

test("a login failure shows detail.message", async () => {
  expect(loginErrorText(await answered({ detail: { message: "Not today" } }, 403))).toBe("Not today");
});

test("only a detail with email_verified false means an unverified address", async () => {
  const detail = { message: "Please verify your email address first.", email_verified: false };
  expect(isEmailUnverified(await answered({ detail, error: detail.message, code: "email-unverified" }, 403))).toBe(
    true,
  );
  expect(isEmailUnverified(await answered({ detail }, 400))).toBe(true);
  expect(isEmailUnverified(await answered({ detail: { email_verified: true } }, 403))).toBe(false);
  expect(isEmailUnverified(await answered({ detail: "email_verified false" }, 403))).toBe(false);
  expect(isEmailUnverified(new Error("x"))).toBe(false);
});
