import { expect, it } from "vitest";
import { type User, userSchema } from "#contract/accounts/accounts.ts";
import { administrationPaths } from "#contract/administration/paths.ts";
import { problemSchema } from "#contract/problem.ts";
import { accountContextOf } from "../../../testing/accounts/account-context.ts";
import { signUp, signUpProved } from "../../../testing/accounts/sign-up.ts";
import { startTestApp, type TestApp } from "../../../testing/app/start-test-app.ts";
import { setRights } from "../administration/account-rights.ts";
import { commandLine } from "../administration/administrator.ts";
import { missingOwner } from "./missing-owner.ts";

const start = () => startTestApp({ env: { PUBLIC_URL: "https://chat.example.org" } });
const sentenceOf = ({ context: { config, database, secretKey } }: TestApp) => missingOwner(config, database, secretKey);

async function keyOf(app: TestApp): Promise<string> {
  const [, key = ""] =
    /https:\/\/chat\.example\.org\/become-owner#key=([\w-]+)/.exec((await sentenceOf(app)) ?? "") ?? [];
  expect(key).toHaveLength(22);
  return key;
}

async function become(app: TestApp, token: string, key: string): Promise<User["role"] | string> {
  const response = await app.call("POST", administrationPaths.ownership, { token, body: { key } });
  const answer: unknown = await response.json();
  return response.ok ? userSchema.parse(answer).role : problemSchema.parse(answer).code;
}

it("P3 the link on the console makes one account the owner, once", async () => {
  await using app = await start();
  const [ada, eve] = [await signUpProved(app), await signUpProved(app)];
  const key = await keyOf(app);
  expect(await become(app, ada.token, key)).toBe("owner");
  expect(await become(app, eve.token, key)).toBe("bad-link");
  expect(await become(app, ada.token, key)).toBe("bad-link");
  expect(await sentenceOf(app)).toBeNull();
});

it("P3 one of several accounts that use the console's link at once becomes the owner", async () => {
  await using app = await start();
  const people = await Promise.all(Array.from({ length: 5 }, () => signUpProved(app)));
  const key = await keyOf(app);
  const outcomes = await Promise.all(people.map(({ token }) => become(app, token, key)));
  expect(outcomes.sort()).toEqual([...Array<string>(4).fill("bad-link"), "owner"]);
});

it("P3 the console's link refuses a wrong key, a missing proof and a server that has an owner", async () => {
  await using app = await start();
  const [ada, eve] = [await signUpProved(app), await signUp(app)];
  const key = await keyOf(app);
  expect(await become(app, eve.token, key)).toBe("proof-needed");
  expect(await become(app, ada.token, "x".repeat(22))).toBe("bad-link");
  expect(await become(app, ada.token, key.slice(1))).toBe("bad-link");
  await setRights(accountContextOf(app), eve.user.id, { role: "owner", by: commandLine });
  expect(await become(app, ada.token, key)).toBe("bad-link");
});

it("the console prints no owner link where the first account becomes the owner, except on an upgraded server", async () => {
  await using app = await startTestApp({ env: { PUBLIC_URL: "http://localhost:3000" } });
  expect(await sentenceOf(app)).toBeNull();
  await signUp(app);
  expect(await sentenceOf(app)).toMatch(/has no owner: sign in, then open http:\/\/localhost:3000\/become-owner#key=/);
});
