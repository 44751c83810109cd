import { dictionary } from "@zxcvbn-ts/language-common";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { authConfigSchema } from "#contract/accounts/accounts.ts";
import { accountPaths } from "#contract/accounts/paths.ts";
import { problemSchema } from "#contract/problem.ts";
import { newestKeyFor } from "../../testing/accounts/mailed-links.ts";
import { newPerson, signUpProved } from "../../testing/accounts/sign-up.ts";
import { startTestApp, type TestApp } from "../../testing/app/start-test-app.ts";
import { refuseGuessable } from "./password-policy.ts";

let strict: TestApp;
let plain: TestApp;
beforeAll(async () => {
  strict = await startTestApp({ env: { PASSWORD_POLICY: "strict", PRODUCT_NAME: "Acme Chat" } });
  plain = await startTestApp({ env: { PRODUCT_NAME: "Acme Chat" } });
});
afterAll(async () => {
  await strict[Symbol.asyncDispose]();
  await plain[Symbol.asyncDispose]();
});

const register = (app: TestApp, password: unknown, given = {}) =>
  app.call("POST", accountPaths.register, { body: { ...newPerson(given), password } });
const issuesOf = async (response: Response) => problemSchema.parse(await response.json()).issues;
const fits = (password: string) => [...password].length >= 8;

describe("A4 with PASSWORD_POLICY=strict", () => {
  it("refuses every common password of the list that has the minimum length", async () => {
    const listed = dictionary["passwords-common"].filter(fits);
    expect(listed.length).toBeGreaterThan(10_000);
    const owner = { firstname: "Augusta", lastname: "Byron", username: "ada", email: "ada@example.org" };
    const taken: string[] = [];
    for (const password of listed) {
      const refused = await refuseGuessable(strict.context, password, owner).then(
        () => false,
        () => true,
      );
      if (!refused) taken.push(password);
    }
    expect(taken).toEqual([]);
  });

  it.each([
    "password",
    "PassWord",
    "password1",
    "!password!",
    "2024password",
    "ｐａｓｓｗｏｒｄ",
    "12345678",
    "Baseball99",
  ])("refuses the common password %j with a reason", async (password) => {
    const response = await register(strict, password);
    expect(response.status).toBe(400);
    expect(await issuesOf(response)).toMatchObject([{ field: "password", rule: "common" }]);
  });

  it.each([
    ["Lovelace1815", { username: "lovelace1815" }],
    ["lovelace1815!!", { username: "Lovelace1815" }],
    ["1843lovelace", { username: "lovelace9" }],
    ["ada.king@example.net", { email: "ada.king@example.net" }],
    ["Ada.King@Example.net77", { email: "ada.king@example.net" }],
    ["ada.king2026", { email: "ada.king@example.net" }],
    ["verylongusername", { username: "verylongusername" }],
    ["verylongusername1", { username: "verylongusername" }],
    ["verylongusername2026", { username: "verylongusername" }],
    ["Augusta1815", { firstname: "Augusta" }],
    ["2026-byron", { lastname: "Byron" }],
    ["byronaugusta", { firstname: "Augusta", lastname: "Byron" }],
    ["acmechat", {}],
    ["ACMECHAT123", {}],
    ["acmechat2026", {}],
    ["Acme-Chat-2026", {}],
    ["Acme Chat, Acme Chat", {}],
    ["Lovelace1815@AcmeChat", { username: "lovelace1815" }],
  ])("refuses the password %j, which contains a name of its owner or of the product", async (password, given) => {
    expect(await issuesOf(await register(strict, password, { email: newPerson().email, ...given }))).toMatchObject([
      { field: "password", rule: "personal" },
    ]);
  });

  it("refuses a guessable password on a reset and a change too, and changes neither key nor password", async () => {
    const { user, token, password } = await signUpProved(strict);
    await strict.call("POST", accountPaths.forgotPassword, { body: { email: user.email } });
    const key = await newestKeyFor(strict, "reset-password", user.email);
    const answers = [
      await strict.call("POST", accountPaths.password, {
        token,
        body: { currentPassword: password, password: "password1" },
      }),
      await strict.call("POST", accountPaths.resetPassword, { body: { key, password: `${user.username}-2026` } }),
      await strict.call("POST", accountPaths.password, {
        token,
        body: { currentPassword: password, password: `${user.lastname}-2026` },
      }),
      await strict.call("POST", accountPaths.resetPassword, { body: { key, password: `2026 ${user.firstname} 2026` } }),
    ];
    const personal = [{ rule: "personal" }];
    expect(await Promise.all(answers.map(issuesOf))).toMatchObject([
      [{ rule: "common" }],
      personal,
      personal,
      personal,
    ]);
    const reset = await strict.call("POST", accountPaths.resetPassword, {
      body: { key, password: "another horse battery" },
    });
    expect(reset.status).toBe(200);
  });

  it.each([
    "correct horse battery",
    "qwzv-8kfj-27dm",
    "monkey8271930482716",
    "acme chat is where i talk",
    "plum kettle orbit sand",
  ])("accepts the password %j under the strict policy", async (password) => {
    expect((await register(strict, password)).status).toBe(201);
  });

  it("publishes the password policy in the configuration, so that forms can warn before a submit", async () => {
    const config = async (app: TestApp) =>
      authConfigSchema.parse(await (await app.call("GET", accountPaths.authConfig)).json()).passwordPolicy;
    expect([await config(strict), await config(plain)]).toEqual(["strict", "plain"]);
  });
});

it("A4 refuses common passwords if PUBLIC_URL is not localhost", async () => {
  await using app = await startTestApp({ env: { PUBLIC_URL: "https://chat.example.org" } });
  expect((await register(app, "password")).status).toBe(400);
  expect((await register(app, "correct horse battery")).status).toBe(201);
});

describe("passwords under the plain policy", () => {
  it("A4 accepts common passwords with PASSWORD_POLICY=plain, the default on localhost", async () => {
    for (const password of ["password", "12345678", "Acme Chat", "Baseball99", "sunshine"]) {
      expect((await register(plain, password)).status).toBe(201);
    }
  });

  it("A1 passwords have 8 to 256 characters, counted as people see them", async () => {
    const statuses = async (passwords: string[]) =>
      Promise.all(passwords.map(async (password) => (await register(plain, password)).status));
    const refused = ["", "a".repeat(7), "1234567", "😀".repeat(7), "a".repeat(257), "😀".repeat(257)];
    expect(await statuses(refused)).toEqual(refused.map(() => 400));
    const taken = ["a".repeat(8), "😀".repeat(8), "a".repeat(64), "a".repeat(256), "密".repeat(256), "😀".repeat(256)];
    expect(await statuses(taken)).toEqual(taken.map(() => 201));
  });

  it("A1 refuses passwords of more than 1,024 bytes before hashing, in every form", async () => {
    const { token } = await signUpProved(plain);
    const passwords = ["a".repeat(1025), "😀".repeat(300), "a".repeat(500_000)];
    for (const password of passwords) {
      const body = { ...newPerson(), key: "x", password, currentPassword: password };
      for (const path of [accountPaths.register, accountPaths.resetPassword, accountPaths.login]) {
        expect((await plain.call("POST", path, { body })).status).toBe(400);
      }
      for (const path of [accountPaths.password, accountPaths.proof]) {
        expect((await plain.call("POST", path, { body, token })).status).toBe(400);
      }
    }
    for (const path of [accountPaths.register, accountPaths.resetPassword, accountPaths.login]) {
      const body = { ...newPerson(), key: "x", password: "a".repeat(900_000) };
      expect((await plain.call("POST", path, { body })).status).toBe(400);
    }
  });

  it.each([
    "abcdefghijklmnopqrst",
    "a b  c   d",
    "a b c d e f g h",
    "😀😃😄😁😆😅🤣😂",
    "密码密码密码密码",
    "пароль пароль",
    "كلمة المرور",
    "12345678901234567890",
    "!!!!!!!!",
    "e\u0301".repeat(8),
    "        a",
  ])("A3 accepts the password %j", async (password) => {
    const person = newPerson({ password });
    expect((await plain.call("POST", accountPaths.register, { body: person })).status).toBe(201);
    const signIn = async (typed: string) =>
      (await plain.call("POST", accountPaths.login, { body: { username: person.username, password: typed } })).status;
    // The account is not verified yet: only the right password gets that answer.
    expect([await signIn(`${password} `), await signIn(`${password}x`), await signIn(password)]).toEqual([
      401, 401, 403,
    ]);
  });
});
