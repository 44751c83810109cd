import { describe, expect, it } from "vitest";
import { loginSchema, registerFormSchema, registerSchema, resendSchema, verifySchema } from "../accounts/accounts.ts";
import { sendSchema } from "../conversation/conversation-calls.ts";
import { fieldIssues, parseRule, rule, ruleSentence } from "./validation.ts";

const good = {
  firstname: "Ada",
  lastname: "Lovelace",
  username: "ada1815",
  email: "ada@example.org",
  password: "12345678",
};

type Schema = {
  safeParse(value: unknown): { success: boolean; error?: { issues: Parameters<typeof fieldIssues>[0] } };
};

function sentences(schema: Schema, value: unknown): string[] {
  const { error } = schema.safeParse(value);
  return fieldIssues(error?.issues ?? []).map((issue) => ruleSentence(issue.field, issue));
}

describe("registration", () => {
  it("accepts valid input of a registration", () => {
    expect(sentences(registerSchema(), good)).toEqual([]);
  });

  it.each([
    ["shortest", { firstname: "Bo", lastname: "Ek", username: "bo1", password: "12345678" }],
    ["longest", { firstname: "A".repeat(30), lastname: "b".repeat(30), username: "c".repeat(30) }],
  ])("accepts a registration with the %s names", (_, given) => {
    expect(sentences(registerSchema(), { ...good, ...given })).toEqual([]);
  });

  it.each([
    ["firstname", "", "Firstname is required"],
    ["firstname", "A", "Firstname must be at least 2 characters"],
    ["firstname", "A".repeat(31), "Firstname must be no more than 30 characters"],
    ["firstname", "Ada1", "Firstname must contain only letters (no numbers or special characters)"],
    ["lastname", "", "Lastname is required"],
    ["lastname", "d'Arc", "Lastname must contain only letters (no numbers or special characters)"],
    ["username", "", "Username is required"],
    ["username", "ab", "Username must be at least 3 characters"],
    ["username", "a".repeat(31), "Username must be no more than 30 characters"],
    ["username", "a b", "Username must contain only letters and numbers (no spaces or special characters)"],
    ["email", "", "Email is required"],
    ["email", "ada", "Please enter a valid email address"],
    ["email", `${"a".repeat(65)}@example.org`, "Please enter a valid email address"],
    ["email", `ada@${"a".repeat(64)}.org`, "Please enter a valid email address"],
    ["email", `${"a".repeat(250)}@b.org`, "Please enter a valid email address"],
    ["password", "", "Password is required"],
    ["password", "1234567", "Password must be at least 8 characters"],
    ["password", "😀".repeat(7), "Password must be at least 8 characters"],
    ["password", "x".repeat(257), "Password must be no more than 256 characters"],
  ])("describes what is wrong with the %s %j", (field, value, sentence) => {
    expect(sentences(registerSchema(), { ...good, [field]: value })).toEqual([sentence]);
  });

  it("counts a password in characters, not in UTF-16 units", () => {
    expect(sentences(registerSchema(), { ...good, password: "😀".repeat(256) })).toEqual([]);
  });

  it("names every missing field of a registration, in field order", () => {
    expect(sentences(registerSchema(), {})).toEqual(
      ["Firstname", "Lastname", "Username", "Email", "Password"].map((field) => `${field} is required`),
    );
  });

  it("accepts the server's own minimum length of a password", () => {
    expect(sentences(registerSchema(12), good)).toEqual(["Password must be at least 12 characters"]);
  });

  it("compares the repeated password even when other fields are missing", () => {
    expect(sentences(registerFormSchema(), { ...good, confirmPassword: "" })).toEqual(["ConfirmPassword is required"]);
    expect(sentences(registerFormSchema(), { ...good, email: "", confirmPassword: "other" })).toEqual([
      "Email is required",
      "Passwords do not match",
    ]);
  });
});

it("formats the broken rules of the other forms as sentences", () => {
  expect(sentences(loginSchema, {})).toEqual(["Username is required", "Password is required"]);
  expect(sentences(verifySchema, { key: "  " })).toEqual(["Please enter the verification key"]);
  expect(sentences(resendSchema, {})).toEqual(["Email address is required to resend verification email"]);
  expect(sentences(sendSchema, { message: " \n " })).toEqual(["Message is required"]);
});

it("parses formatted rules, and treats any other message as invalid", () => {
  expect(parseRule(rule("min", 3))).toEqual({ rule: "min", n: 3 });
  expect(parseRule(rule("required"))).toEqual({ rule: "required" });
  expect(parseRule("Invalid input: expected string")).toEqual({ rule: "invalid" });
});
