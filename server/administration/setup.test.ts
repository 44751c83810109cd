import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { administrationPaths } from "#contract/administration/paths.ts";
import {
  type ChangeSetup,
  SETUP_PATH,
  type Setup,
  setupSchema,
  testMailSchema,
} from "#contract/administration/setup.ts";
import { filedMailsTo } from "../../testing/accounts/filed-mails.ts";
import { signUpAs } from "../../testing/accounts/roles.ts";
import { changeSettingsOf } from "../../testing/accounts/settings.ts";
import { signUp, type TestAccount } from "../../testing/accounts/sign-up.ts";
import { startTestApp, type TestApp } from "../../testing/app/start-test-app.ts";

let app: TestApp;
let owner: TestAccount;
beforeAll(async () => {
  app = await startTestApp();
  owner = await signUpAs(app, "owner");
});
afterAll(() => app[Symbol.asyncDispose]());

async function read(at = app, { token } = owner): Promise<Setup> {
  return setupSchema.parse(await (await at.call("GET", SETUP_PATH, { token })).json());
}

async function change(body: ChangeSetup): Promise<Setup> {
  const answer = await app.call("PATCH", SETUP_PATH, { token: owner.token, body });
  return setupSchema.parse(await answer.json());
}

describe("first steps of an owner", () => {
  it("the first steps of a new installation are to do, until each is done", async () => {
    const steps = ["name", "registration", "mail", "provider", "search", "people"];
    const todo = Object.fromEntries(steps.map((step) => [step, "todo"]));
    expect(await read()).toEqual({ steps: todo });
    await changeSettingsOf(app, owner, { productName: "Salon", registration: "closed" });
    const { token } = owner;
    expect((await app.call("POST", administrationPaths.invitations, { token, body: {} })).status).toBe(201);
    expect(await read()).toEqual({ steps: { ...todo, name: "done", registration: "done", people: "done" } });
  });

  it("the first steps are done by the environment and by other people's accounts", async () => {
    const env = {
      SMTP_URL: "smtp://127.0.0.1:1",
      OPENAI_API_KEY: "key",
      REGISTRATION_DOMAINS: "a.example",
      SEARCH_URL: "http://127.0.0.1:1",
    };
    await using other = await startTestApp({ env });
    const own = await signUpAs(other, "owner");
    await signUp(other);
    const { steps } = await read(other, own);
    const done = { registration: "done", mail: "done", provider: "done", search: "done", people: "done" };
    expect(steps).toEqual({ name: "todo", ...done });
  });

  it("the step of web search is done while an owner has set a search engine", async () => {
    await using other = await startTestApp();
    const own = await signUpAs(other, "owner");
    const { token } = own;
    const call = (method: "PUT" | "DELETE", body?: object) =>
      other.call(method, administrationPaths.webSearch, { token, ...(body && { body }) });
    const searchStep = async () => (await read(other, own)).steps.search;
    const engine = { kind: "searxng", baseUrl: "http://127.0.0.1:1" };
    expect(await searchStep()).toBe("todo");
    expect((await call("PUT", engine)).status).toBe(200);
    expect(await searchStep()).toBe("done");
    expect((await call("DELETE")).status).toBe(204);
    expect(await searchStep()).toBe("todo");
  });

  it("the first steps can be skipped, and the hint is dismissed permanently", async () => {
    expect((await change({ skipped: ["mail", "name"] })).steps).toMatchObject({ mail: "skipped", name: "done" });
    expect((await change({ skipped: [] })).steps).toMatchObject({ mail: "todo" });
    const { dismissedAt } = await change({ isDismissed: true });
    expect(dismissedAt).toEqual(expect.any(Number));
    expect(await change({ isDismissed: true, skipped: ["provider"] })).toMatchObject({
      dismissedAt,
      steps: { provider: "skipped" },
    });
  });
});

it("skipped steps and the dismissed hint leave no records", async () => {
  const count = async () => (await app.context.database.selectFrom("audit_events").select("seq").execute()).length;
  const before = await count();
  await change({ skipped: ["people"], isDismissed: true });
  await change({ skipped: [] });
  expect(await count()).toBe(before);
});

describe("test mail", () => {
  it("a test mail is sent to the owner's own address, and reported as sent", async () => {
    const answer = await app.call("POST", administrationPaths.testMail, { token: owner.token });
    const { email } = owner.user;
    expect(testMailSchema.parse(await answer.json())).toEqual({ to: email, state: "sent" });
    expect((await filedMailsTo(app, email)).at(-1)?.subject).toBe("Test mail from Salon");
  });

  it("a test mail reports that the mail server does not answer, and has a limit", async () => {
    await using other = await startTestApp({ env: { SMTP_URL: "smtp://127.0.0.1:1", RATE_LIMITS: "on" } });
    const own = await signUpAs(other, "owner");
    const send = () => other.call("POST", administrationPaths.testMail, { token: own.token });
    const answers = await Promise.all(Array.from({ length: 11 }, send));
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(10).fill(200), 429]);
    const taken = answers.find(({ status }) => status === 200);
    expect(testMailSchema.parse(await taken?.json()).state).toBe("waiting");
  });
});
