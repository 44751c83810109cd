import { dictionary } from "@zxcvbn-ts/language-common";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { authConfigSchema } from "#contract/accounts.ts";
import { problemSchema } from "#contract/errors.ts";
import { paths } from "#contract/paths.ts";
import { newestKeyFor } from "../../testing/mailed-links.ts";
import { newPerson, signUpByMail, signUpProved } from "../../testing/sign-up.ts";
import { startTestApp, type TestApp } from "../../testing/start-test-app.ts";
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
  app.call("POST", paths.register, { body: { ...newPerson(given), password } });
const issuesOf = async (response: Response) => problemSchema.parse(await response.json()).issues;
const fits = (password: string) => [...password].length >= 8;

describe("A4 with PASSWORD_POLICY=strict", () => {
  it("refuses every password of the list that is long enough", async () => {
    const listed = dictionary["passwords-common"].filter(fits);
    expect(listed.length).toBeGreaterThan(10_000);
    const owner = { username: "ada", email: "ada@example.org" };
    const taken: string[] = [];
    for (const password of listed) {
      const refused = await refuseGuessable(strict.context.config, password, owner).then(
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
  ])("refuses %j, and says why", async (password) => {
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
    ["acmechat", {}],
    ["Acme-Chat-2026", {}],
    ["Acme Chat, Acme Chat", {}],
    ["Lovelace1815@AcmeChat", { username: "lovelace1815" }],
  ])("refuses the personal %j", async (password, given) => {
    expect(await issuesOf(await register(strict, password, { email: newPerson().email, ...given }))).toMatchObject([
      { field: "password", rule: "personal" },
    ]);
  });

  it("refuses it on a reset and on a change as well, and keeps key and password", async () => {
    const { user, token, password } = await signUpProved(strict);
    await strict.call("POST", paths.forgotPassword, { body: { email: user.email } });
    const key = await newestKeyFor(strict, "reset-password", user.email);
    const answers = [
      await strict.call("POST", paths.password, { token, body: { currentPassword: password, password: "password1" } }),
      await strict.call("POST", paths.resetPassword, { body: { key, password: `${user.username}-2026` } }),
    ];
    expect(await Promise.all(answers.map(issuesOf))).toMatchObject([[{ rule: "common" }], [{ rule: "personal" }]]);
    const reset = await strict.call("POST", paths.resetPassword, { body: { key, password: "another horse battery" } });
    expect(reset.status).toBe(200);
  });

  it.each(["correct horse battery", "qwzv-8kfj-27dm", "monkey8271930482716", "acme chat is where i talk"])(
    "takes %j",
    async (password) => {
      expect((await register(strict, password)).status).toBe(201);
    },
  );

  it("tells sign-in screens, so that they can say it before", async () => {
    const config = async (app: TestApp) =>
      authConfigSchema.parse(await (await app.call("GET", paths.authConfig)).json()).passwordPolicy;
    expect([await config(strict), await config(plain)]).toEqual(["strict", "plain"]);
  });
});

describe("passwords", () => {
  it("A4 are taken with PASSWORD_POLICY=plain, the default, however common", async () => {
    for (const password of ["password", "12345678", "Acme Chat"]) {
      expect((await register(plain, password)).status).toBe(201);
    }
  });

  it("A1 have 8 to 256 characters, counted as people see them", async () => {
    const statuses = async (passwords: string[]) =>
      Promise.all(passwords.map(async (password) => (await register(plain, password)).status));
    expect(await statuses(["a".repeat(7), "😀".repeat(7), "a".repeat(257), "😀".repeat(257)])).toEqual([
      400, 400, 400, 400,
    ]);
    expect(await statuses(["a".repeat(8), "😀".repeat(8), "a".repeat(64), "a".repeat(256), "😀".repeat(256)])).toEqual(
      Array(5).fill(201),
    );
  });

  it("A1 of more than 1,024 bytes are refused before anything is hashed, wherever they are typed", async () => {
    const { token } = await signUpProved(plain);
    const passwords = ["a".repeat(1025), "😀".repeat(300), "a".repeat(500_000)];
    for (const password of passwords) {
      const body = { ...newPerson(), key: "x", password, currentPassword: password };
      for (const path of [paths.register, paths.resetPassword, paths.login]) {
        expect((await plain.call("POST", path, { body })).status).toBe(400);
      }
      for (const path of [paths.password, paths.proof]) {
        expect((await plain.call("POST", path, { body, token })).status).toBe(400);
      }
    }
  });

  it.each(["abcdefghijklmnopqrst", "a b  c   d", "😀😃😄😁😆😅🤣😂", "密码密码密码密码", "        a"])(
    "A3 may be %j",
    async (password) => {
      const { user } = await signUpByMail(plain, { ...newPerson(), password });
      const signIn = (typed: string) =>
        plain.call("POST", paths.login, { body: { username: user.username, password: typed } });
      expect((await signIn(password)).status).toBe(200);
      expect((await signIn(`${password} `)).status).toBe(401);
    },
  );

  it("A5 are stored as argon2id with a salt of their own", async () => {
    const [one, other] = [await signUpByMail(plain), await signUpByMail(plain)];
    const users = plain.context.database.selectFrom("users").select("password_hash");
    const hashes = await users.where("id", "in", [one.user.id, other.user.id]).execute();
    const parts = hashes.map(({ password_hash: stored }) => {
      const match = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/.exec(stored ?? "");
      const [, memory, time, lanes, salt = "", hash = ""] = match ?? [];
      return { memory: Number(memory), time: Number(time), lanes: Number(lanes), salt, hash };
    });
    for (const { memory, time, lanes, salt } of parts) {
      expect([memory >= 19_456, time >= 2, lanes >= 1]).toEqual([true, true, true]);
      expect(Buffer.from(salt, "base64").length).toBeGreaterThanOrEqual(16);
    }
    expect(new Set(parts.flatMap(({ salt, hash }) => [salt, hash])).size).toBe(4);
  });
});
