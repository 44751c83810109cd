import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { accountPaths } from "#contract/accounts/paths.ts";
import { auditListSchema } from "#contract/administration/administration.ts";
import type { ChangeSettings } from "#contract/administration/installation.ts";
import { administrationPaths } from "#contract/administration/paths.ts";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { transferPaths } from "#contract/transfer/paths.ts";
import { filedMailsTo } from "../../testing/accounts/filed-mails.ts";
import { giveRole, signUpAs } from "../../testing/accounts/roles.ts";
import { changeSettingsOf, settingsOf } from "../../testing/accounts/settings.ts";
import { newPerson, signUp, type TestAccount } from "../../testing/accounts/sign-up.ts";
import { startTestApp, type TestApp } from "../../testing/app/start-test-app.ts";
import { type ScriptedChat, startScriptedChat } from "../../testing/chats/scripted-chat.ts";
import { problemOf } from "../../testing/http/problem-of.ts";
import { verifyAudit } from "../audit/verify-audit.ts";

let web: string;
let chat: ScriptedChat;
let app: TestApp;
let owner: TestAccount;
beforeAll(async () => {
  chat = await startScriptedChat();
  app = chat.app;
  owner = await signUpAs(app, "owner");
  web = await mkdtemp(join(tmpdir(), "parley-web-"));
});
afterAll(async () => {
  await chat[Symbol.asyncDispose]();
  await rm(web, { recursive: true });
});
beforeEach(async () => {
  await chat.renew();
  await app.context.database.deleteFrom("settings").execute();
  await app.context.installation.reload();
});

const change = (body: unknown, { token } = owner) => app.call("PATCH", administrationPaths.settings, { token, body });
const register = (given: { email?: string } = {}, at = app) =>
  at.call("POST", accountPaths.register, { body: newPerson(given) });
const records = async () => {
  const answer = await app.call("GET", `${administrationPaths.audit}?kind=setting-changed`, { token: owner.token });
  return auditListSchema.parse(await answer.json()).entries;
};

describe("settings of the installation", () => {
  it("the settings of a new installation are the defaults", async () => {
    expect(await settingsOf(app, owner)).toEqual({
      productName: { value: "Parley", source: "default", default: "Parley" },
      registration: { value: "open", source: "default", default: "open" },
      registrationDomains: { value: [], source: "default", default: [] },
      trustedNetworks: { value: [], source: "default", default: [] },
      dailyReplies: { value: 500, source: "default", default: 500 },
      toolCallsPerMinute: { value: 60, source: "default", default: 60 },
      toolCallsPerDay: { value: 1000, source: "default", default: 1000 },
      releaseCheck: { value: "off", source: "default", default: "off" },
      ownToolServers: { value: "off", source: "default", default: "off" },
      shareLinks: { value: "anyone", source: "default", default: "anyone" },
      shareDaysMax: { value: 0, source: "default", default: 0 },
      systemPrompt: { value: "", source: "default", default: "" },
    });
  });

  it("an owner changes settings, which are normalised, and reset by null or by the default value", async () => {
    const wishes: ChangeSettings = {
      productName: "  Salon\n",
      registrationDomains: ["Example.ORG", "@b.example", "example.org"],
      systemPrompt: " Be kind. ",
      dailyReplies: 7,
    };
    const answer = await change(wishes);
    expect(answer.status).toBe(200);
    const changedAt = expect.any(Number);
    expect(await answer.json()).toMatchObject({
      productName: { value: "Salon", source: "database", default: "Parley", changedAt },
      registration: { value: "open", source: "default" },
      registrationDomains: { value: ["example.org", "b.example"], source: "database" },
      systemPrompt: { value: "Be kind.", source: "database" },
      dailyReplies: { value: 7, source: "database" },
    });
    await change({ productName: null, systemPrompt: "", dailyReplies: 500, registrationDomains: [] });
    expect(await app.context.database.selectFrom("settings").selectAll().execute()).toEqual([]);
    expect((await settingsOf(app, owner)).productName).toEqual({
      value: "Parley",
      source: "default",
      default: "Parley",
    });
  });

  it("administrators read the settings, and only owners with a proof change them", async () => {
    const administrator = await signUpAs(app, "administrator");
    expect((await settingsOf(app, administrator)).dailyReplies.value).toBe(500);
    const refused = await change({ dailyReplies: 1 }, administrator);
    expect([refused.status, (await problemOf(refused)).code]).toEqual([403, "not-permitted"]);
    const unproved = await signUp(app);
    await giveRole(app, unproved, "owner");
    expect((await problemOf(await change({ dailyReplies: 1 }, unproved))).code).toBe("proof-needed");
  });

  it.each([
    [{ productName: " " }, "productName", "required"],
    [{ productName: "x".repeat(61) }, "productName", "max"],
    [{ registration: "maybe" }, "registration", "invalid"],
    [{ registrationDomains: ["example.org", "not a domain"] }, "registrationDomains", "domain"],
    [{ registrationDomains: ["example"] }, "registrationDomains", "domain"],
    [{ registrationDomains: ["-a.example"] }, "registrationDomains", "domain"],
    [{ trustedNetworks: ["10.0.0.0/8", "0.0.0.0/0"] }, "trustedNetworks", "network"],
    [{ trustedNetworks: ["::ffff:10.0.0.0/104"] }, "trustedNetworks", "network"],
    [{ systemPrompt: "x".repeat(8001) }, "systemPrompt", "max"],
    [{ dailyReplies: 0 }, "dailyReplies", "invalid"],
    [{ dailyReplies: 1_000_001 }, "dailyReplies", "invalid"],
    [{ dailyReplies: 1.5 }, "dailyReplies", "invalid"],
    [{ toolCallsPerMinute: 0 }, "toolCallsPerMinute", "invalid"],
    [{ toolCallsPerDay: 1_000_001 }, "toolCallsPerDay", "invalid"],
  ])("a change to the settings %j is refused and changes nothing", async (body, field, rule) => {
    const answer = await change({ registration: "closed", ...body });
    expect(answer.status).toBe(400);
    expect((await problemOf(answer)).issues).toMatchObject([{ field, rule }]);
    expect((await settingsOf(app, owner)).registration.value).toBe("open");
  });

  it("each change of a setting has a record, whose value before undoes it", async () => {
    const before = (await records()).length;
    const prompt = "Be kind.\n".repeat(800).trim();
    await changeSettingsOf(app, owner, { systemPrompt: prompt, registrationDomains: ["example.org"] });
    await changeSettingsOf(app, owner, { systemPrompt: prompt, registrationDomains: ["example.org", "b.example"] });
    await changeSettingsOf(app, owner, { systemPrompt: null });
    const entries = (await records()).slice(0, -before || undefined);
    expect(entries.map((entry) => [entry.before, entry.after])).toEqual([
      [{ systemPrompt: prompt }, { systemPrompt: null }],
      [{ registrationDomains: ["example.org"] }, { registrationDomains: ["example.org", "b.example"] }],
      [{ systemPrompt: null }, { systemPrompt: prompt }],
      [{ registrationDomains: null }, { registrationDomains: ["example.org"] }],
    ]);
    expect(entries[0]).toMatchObject({ actor: { id: owner.user.id }, subject: null });
    await changeSettingsOf(app, owner, entries[0]?.before as ChangeSettings);
    expect((await settingsOf(app, owner)).systemPrompt.value).toBe(prompt);
    expect(await verifyAudit(app.context.database)).not.toHaveProperty("brokenAt");
  });
});

describe("settings that take effect without a restart", () => {
  it("a closed registration refuses new accounts, and the sign-in page shows it", async () => {
    expect((await register()).status).toBe(201);
    await changeSettingsOf(app, owner, { registration: "closed" });
    const refused = await register();
    expect([refused.status, (await problemOf(refused)).code]).toEqual([403, "registration-closed"]);
    expect(await (await app.call("GET", accountPaths.authConfig)).json()).toMatchObject({ registrationOpen: false });
    await changeSettingsOf(app, owner, { registration: null });
    expect((await register()).status).toBe(201);
  });

  it("domains of registration refuse other addresses, at registrations and changes of address", async () => {
    await changeSettingsOf(app, owner, { registrationDomains: ["school.example"] });
    const refused = await register();
    expect((await problemOf(refused)).code).toBe("registration-domain");
    expect((await register({ email: "pupil@School.Example" })).status).toBe(201);
    const { token } = owner;
    const moved = await app.call("POST", accountPaths.email, { token, body: { email: "me@other.example" } });
    expect((await problemOf(moved)).code).toBe("registration-domain");
  });

  it("the product's name is in mails, exports and the prompt; an own prompt replaces the built-in one", async () => {
    await changeSettingsOf(app, owner, { productName: "Salon" });
    await chat.send();
    expect(chat.provider.chats.at(-1)?.system).toContain("You are the assistant of Salon");
    const { email } = newPerson();
    await register({ email });
    expect((await filedMailsTo(app, email))[0]?.subject).toBe("Verify your email address for Salon");
    const file = await app.call("GET", `${transferPaths.chatExport(chat.chatId)}?format=json`, {
      token: chat.ada.token,
    });
    expect(await file.json()).toMatchObject({ product: "Salon" });
    await changeSettingsOf(app, owner, { systemPrompt: "Answer in rhymes." });
    await chat.send();
    expect(chat.provider.chats.at(-1)?.system).toMatch(/^Answer in rhymes\.\n\nToday is/);
  });

  it("the daily limit refuses further replies, also in temporary chats", async () => {
    await changeSettingsOf(app, owner, { dailyReplies: 1 });
    expect((await chat.post("")).status).toBe(200);
    expect((await chat.post("")).status).toBe(429);
    const { token } = await signUp(app);
    const ask = () =>
      app.call("POST", conversationPaths.temporaryReply, {
        token,
        body: { messages: [{ role: "user", content: "Hi" }] },
      });
    expect([(await ask()).status, (await ask()).status]).toEqual([200, 429]);
  });

  it("the product's name is in the page and the manifest", async () => {
    await mkdir(join(web, "assets"), { recursive: true });
    await writeFile(join(web, "index.html"), "<!doctype html><title>Parley</title>");
    await writeFile(join(web, "manifest.webmanifest"), '{"name":"Parley"}');
    await using served = await startTestApp({ webFolder: web });
    const own = await signUpAs(served, "owner");
    const page = async () => (await fetch(`${served.url}/login`)).text();
    expect(await page()).toContain("<title>Parley</title>");
    await changeSettingsOf(served, own, { productName: "Tea & Co" });
    expect(await page()).toContain("<title>Tea &amp; Co</title>");
    const manifest = await (await fetch(`${served.url}/manifest.webmanifest`)).json();
    expect(manifest).toEqual({ name: "Tea & Co", short_name: "Tea & Co" });
  });
});

describe("settings of the environment", () => {
  it("a setting of the environment overrides a stored value, and cannot be changed", async () => {
    const env = { REGISTRATION: "open", PRODUCT_NAME: "Fixed", REGISTRATION_DOMAINS: "example.org" };
    await using fixed = await startTestApp({ env });
    const own = await signUpAs(fixed, "owner");
    const row = { name: "registration", value: '"closed"', changed_at: 1 };
    await fixed.context.database.insertInto("settings").values(row).execute();
    await fixed.context.installation.reload();
    expect(await settingsOf(fixed, own)).toMatchObject({
      registration: { value: "open", source: "environment" },
      productName: { value: "Fixed", source: "environment", default: "Parley" },
      registrationDomains: { value: ["example.org"], source: "environment" },
      dailyReplies: { source: "default" },
    });
    expect((await register({}, fixed)).status).toBe(201);
    const body = { registration: "closed", productName: null, dailyReplies: 9 };
    const refused = await fixed.call("PATCH", administrationPaths.settings, { token: own.token, body });
    expect(refused.status).toBe(400);
    expect((await problemOf(refused)).issues).toEqual([
      { field: "productName", rule: "fixed", message: "ProductName is set in the environment of the server" },
      { field: "registration", rule: "fixed", message: "Registration is set in the environment of the server" },
    ]);
    expect((await settingsOf(fixed, own)).dailyReplies.source).toBe("default");
  });

  it("a stored setting that this version does not accept is ignored", async () => {
    const row = { name: "dailyReplies", value: '"many"', changed_at: 1 };
    await app.context.database.insertInto("settings").values(row).execute();
    await app.context.installation.reload();
    expect((await settingsOf(app, owner)).dailyReplies).toEqual({ value: 500, source: "default", default: 500 });
  });
});
