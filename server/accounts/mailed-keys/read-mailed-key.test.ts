import { describe, expect, it } from "vitest";
import { mailedKeyAnswerSchema } from "#contract/accounts/account-settings.ts";
import { signedInSchema } from "#contract/accounts/accounts.ts";
import { accountPaths } from "#contract/accounts/paths.ts";
import { DAY } from "#contract/limits.ts";
import { problemSchema } from "#contract/problem.ts";
import { filedMailsTo, mailedKey } from "../../../testing/accounts/filed-mails.ts";
import { type LinkedPage, newestKeyFor } from "../../../testing/accounts/mailed-links.ts";
import { newPerson, signUpProved } from "../../../testing/accounts/sign-up.ts";
import { disposeAfterAll } from "../../../testing/app/dispose-after-all.ts";
import { startTestApp, TestClock } from "../../../testing/app/start-test-app.ts";
import { TestBrowser } from "../../../testing/http/test-browser.ts";

const clock = new TestClock();
const app = disposeAfterAll(await startTestApp({ clock }));

const post = (path: string, body: unknown, token?: string) =>
  app.call("POST", path, { body, ...(token !== undefined && { token }) });
const inspect = (key: string) => post(accountPaths.mailedKey, { key });
const PASSWORD = "another horse battery";

/** Pages of links, the purpose of their keys, and how a key for each is obtained and used. */
const links: [LinkedPage, string, () => Promise<{ key: string; username: string; email: string }>, string][] = [
  [
    "verify-email",
    "verify-email",
    async () => {
      const { username, email, ...person } = newPerson();
      await post(accountPaths.register, { username, email, ...person });
      return { key: await mailedKey(app, email), username, email };
    },
    accountPaths.verify,
  ],
  [
    "reset-password",
    "reset-password",
    async () => {
      const { user } = await signUpProved(app);
      await post(accountPaths.forgotPassword, { email: user.email });
      return { key: await newestKeyFor(app, "reset-password", user.email), ...user };
    },
    accountPaths.resetPassword,
  ],
  ["confirm-email", "change-email", async () => askForAddress(), accountPaths.confirmEmail],
  [
    "undo-email",
    "undo-email",
    async () => {
      const { key, username, former } = await askForAddress();
      await post(accountPaths.confirmEmail, { key });
      return { key: await newestKeyFor(app, "undo-email", former), username, email: former };
    },
    accountPaths.undoEmail,
  ],
];

async function askForAddress() {
  const { user, token } = await signUpProved(app);
  const { email } = newPerson();
  expect((await post(accountPaths.email, { email }, token)).status).toBe(200);
  return { key: await newestKeyFor(app, "confirm-email", email), username: user.username, email, former: user.email };
}

describe("L1 reading a mailed key", () => {
  it.each(links)(
    "reading the key of a %s link returns purpose and username, and does not use the key up",
    async (_, purpose, make, path) => {
      const { key, username, email } = await make();
      for (const _again of [0, 1]) {
        const response = await inspect(key);
        const text = await response.text();
        expect(mailedKeyAnswerSchema.parse(JSON.parse(text))).toEqual({ purpose, username });
        expect([response.status, Object.keys(JSON.parse(text)), text.includes(email)]).toEqual([
          200,
          ["purpose", "username"],
          false,
        ]);
      }
      expect((await post(path, { key, password: PASSWORD })).ok).toBe(true);
      const refused = await inspect(key);
      const wrong = await inspect("x".repeat(43));
      expect([refused.status, await refused.text()]).toEqual([400, await wrong.text()]);
      expect(app.logLines.join("")).not.toContain(key);
    },
  );

  it("a mailed key can be read as long as it is valid", async () => {
    const { key } = await askForAddress();
    clock.advance(DAY);
    const response = await inspect(key);
    expect([response.status, problemSchema.parse(await response.json()).code]).toEqual([400, "bad-link"]);
  });

  it("B2 reading a mailed key counts as an attempt to use one", async () => {
    await using limited = await startTestApp({ env: { RATE_LIMITS: "on" } });
    const statuses = new Set<number>();
    for (let at = 0; at < 31; at++) {
      statuses.add((await limited.call("POST", accountPaths.mailedKey, { body: { key: "x".repeat(43) } })).status);
    }
    expect([...statuses]).toEqual([400, 429]);
    expect((await limited.call("POST", accountPaths.verify, { body: { key: "x".repeat(43) } })).status).toBe(429);
  });
});

it.each(links)("L2 a %s link has its key in the query only if it is the verification link", async (page, _, make) => {
  const { key, email } = await make();
  const texts = (await filedMailsTo(app, email)).map(({ text, html }) => `${text} ${html}`).join(" ");
  const base = `${app.context.config.publicUrl}/${page}`;
  expect([texts.includes(`${base}?key=${key}`), texts.includes(`${base}#key=${key}`)]).toEqual(
    page === "verify-email" ? [true, false] : [false, true],
  );
});

it("L1 a verification reports whether the browser differs from the one of the registration", async () => {
  const answers: (boolean | undefined)[] = [];
  for (const isSame of [true, false]) {
    const person = newPerson();
    const [registering, other] = [new TestBrowser(app), new TestBrowser(app)];
    await registering.call("POST", accountPaths.register, person);
    const by = isSame ? registering : other;
    const response = await by.call("POST", accountPaths.verify, { key: await mailedKey(app, person.email) });
    answers.push(signedInSchema.parse(await response.json()).isOtherBrowser);
  }
  expect(answers).toEqual([undefined, true]);
});
