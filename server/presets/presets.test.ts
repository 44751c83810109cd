import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { accountPaths } from "#contract/accounts/paths.ts";
import { securityLogSchema } from "#contract/accounts/sessions.ts";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { type Preset, presetListSchema, presetSchema } from "#contract/conversation/presets.ts";
import { HOUR, INSTRUCTIONS_MAX, MINUTE, PRESET_NAME_MAX, PRESETS_MAX } from "#contract/limits.ts";
import { transferPaths } from "#contract/transfer/paths.ts";
import { followAccount } from "../../testing/accounts/follow-account.ts";
import { signUp, type TestAccount } from "../../testing/accounts/sign-up.ts";
import { startTestApp, type TestApp, TestClock } from "../../testing/app/start-test-app.ts";
import { documentOf } from "../../testing/chats/exported-chats.ts";
import { whileBusy } from "../../testing/chats/while-busy.ts";
import { allRows } from "../../testing/database/all-rows.ts";
import { TestBrowser } from "../../testing/http/test-browser.ts";
import { newId } from "../database/new-id.ts";

const clock = new TestClock(Date.now());
let app: TestApp;
let ada: TestAccount;
beforeAll(async () => {
  app = await startTestApp({ clock });
});
afterAll(() => app[Symbol.asyncDispose]());
beforeEach(async () => {
  ada = await signUp(app);
});

const plain = { name: "Translator", instructions: "Translate.", model: null, temperature: null };

const call = (method: string, path: string, body?: unknown, { token } = ada) => app.call(method, path, { token, body });
const add = async (given: object = {}, by = ada): Promise<Preset> => {
  const response = await call("POST", conversationPaths.presets, { ...plain, ...given }, by);
  expect(response.status).toBe(201);
  return presetSchema.parse(await response.json());
};
const list = async (by = ada) =>
  presetListSchema.parse(await (await call("GET", conversationPaths.presets, undefined, by)).json());
const names = async () => (await list()).map(({ name }) => name);
const change = (id: string, body: object, by = ada) => call("PATCH", conversationPaths.preset(id), body, by);
const remove = (id: string, by = ada) => call("DELETE", conversationPaths.preset(id), undefined, by);
const restore = (id: string, by = ada) => call("POST", conversationPaths.presetRestoration(id), undefined, by);

async function codeOf(response: Response) {
  return [response.status, ((await response.json()) as { code: string }).code];
}

describe("presets", () => {
  it("presets are created, listed in order, and changed in part or completely", async () => {
    const first = await add({ model: "GPT:gpt-5-mini", temperature: 1.15 });
    const second = await add({ name: "  Proof\nreader " });
    expect(first).toEqual({ id: first.id, ...plain, model: "GPT:gpt-5-mini", temperature: 1.15 });
    expect(second.name).toBe("Proof reader");
    expect(await list()).toEqual([first, second]);
    const renamed = await change(first.id, { name: "Interpreter" });
    expect([renamed.status, await renamed.json()]).toEqual([200, { ...first, name: "Interpreter" }]);
    const whole = { name: "Poet", instructions: "", model: null, temperature: 2 };
    expect(await (await change(first.id, whole)).json()).toEqual({ id: first.id, ...whole });
    expect((await list())[0]).toEqual({ id: first.id, ...whole });
  });

  it("presets are moved to any position", async () => {
    const [a, b] = [await add({ name: "a" }), await add({ name: "b" })];
    await add({ name: "c" });
    await change(a.id, { position: 1 });
    expect(await names()).toEqual(["b", "a", "c"]);
    await change(b.id, { position: 50 });
    expect(await names()).toEqual(["a", "c", "b"]);
    await change(b.id, { position: 0, name: "B" });
    expect(await names()).toEqual(["B", "a", "c"]);
    await add({ name: "d" });
    expect(await names()).toEqual(["B", "a", "c", "d"]);
  });

  it("presets are deleted, and restored to their position within an hour", async () => {
    const first = await add({ name: "a" });
    await add({ name: "b" });
    expect((await remove(first.id)).status).toBe(204);
    expect(await names()).toEqual(["b"]);
    expect(await codeOf(await change(first.id, { name: "x" }))).toEqual([404, "not-found"]);
    expect(await codeOf(await remove(first.id))).toEqual([404, "not-found"]);
    clock.advance(HOUR - 1);
    const restored = await restore(first.id);
    expect([restored.status, await restored.json()]).toEqual([200, first]);
    expect(await names()).toEqual(["a", "b"]);
    expect((await restore(first.id)).status).toBe(200);
    await remove(first.id);
    clock.advance(HOUR);
    expect(await codeOf(await restore(first.id))).toEqual([404, "not-found"]);
  });

  it("deleted presets are removed after an hour and a minute for clock skew; their chats then have none", async () => {
    const [gone, stays] = [await add({ name: "gone" }), await add({ name: "stays" })];
    const { id: chat } = (await (await call("POST", conversationPaths.chats)).json()) as { id: string };
    const { database, sweep } = app.context;
    await database.updateTable("chats").set({ preset_id: gone.id }).where("id", "=", chat).execute();
    await remove(gone.id);
    const rows = database.selectFrom("presets").select("id").where("user_id", "=", ada.user.id);
    clock.advance(HOUR + MINUTE - 1);
    await sweep.run();
    expect(await rows.execute()).toHaveLength(2);
    clock.advance(1);
    await sweep.run();
    expect(await rows.execute()).toEqual([{ id: stays.id }]);
    const after = database.selectFrom("chats").select("preset_id").where("id", "=", chat);
    expect(await after.execute()).toEqual([{ preset_id: null }]);
  });

  it("presets are limited to a hundred, also with concurrent requests; deleted ones do not count", async () => {
    const now = clock.now();
    const row = { user_id: ada.user.id, ...plain, created_at: now, deleted_at: null };
    const rows = Array.from({ length: PRESETS_MAX - 1 }, (_, position) => ({ ...row, id: newId(), position }));
    await app.context.database.insertInto("presets").values(rows).execute();
    const answers = await Promise.all(
      [1, 2, 3].map(() => whileBusy(app, () => call("POST", conversationPaths.presets, plain))),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    const [first] = await list();
    await remove(first?.id ?? "");
    const last = await add();
    expect(await codeOf(await restore(first?.id ?? ""))).toEqual([409, "too-many-presets"]);
    await remove(last.id);
    expect((await restore(first?.id ?? "")).status).toBe(200);
  });

  it("presets of other accounts are not found, and do not change", async () => {
    const adas = await add();
    const deleted = await add();
    await remove(deleted.id);
    const eve = await signUp(app);
    const before = await allRows(app.context.database);
    for (const id of [adas.id, deleted.id, newId(), "%00", "x".repeat(2000)]) {
      const answers = [await change(id, { name: "Mine" }, eve), await remove(id, eve), await restore(id, eve)];
      for (const answer of answers) expect(await codeOf(answer)).toEqual([404, "not-found"]);
    }
    expect(await list(eve)).toEqual([]);
    expect(await allRows(app.context.database)).toEqual(before);
  });

  it("presets refuse values that are too long, out of range or of another type", async () => {
    const { id } = await add();
    const before = await list();
    const bad = [
      { name: "" },
      { name: " \n " },
      { name: "x".repeat(PRESET_NAME_MAX + 1) },
      { name: 7 },
      { instructions: "x".repeat(INSTRUCTIONS_MAX + 1) },
      { instructions: null },
      { model: "" },
      { model: "x".repeat(201) },
      { temperature: -0.01 },
      { temperature: 2.01 },
      { temperature: 0.123 },
      { temperature: "1" },
    ];
    for (const part of bad) {
      expect([part, (await call("POST", conversationPaths.presets, { ...plain, ...part })).status]).toEqual([
        part,
        400,
      ]);
      expect([part, (await change(id, part)).status]).toEqual([part, 400]);
    }
    for (const body of [{}, { colour: "red" }]) expect((await change(id, body)).status).toBe(400);
    for (const position of [-1, 0.5, "1", PRESETS_MAX + 1]) expect((await change(id, { position })).status).toBe(400);
    const { name: _, ...nameless } = plain;
    expect((await call("POST", conversationPaths.presets, nameless)).status).toBe(400);
    expect(await list()).toEqual(before);
  });

  it("presets accept temperatures in hundredths, and texts with characters that a database cannot hold", async () => {
    const { id } = await add({ instructions: "a\0b\ud800" });
    expect((await list())[0]?.instructions).toBe("a\uFFFDb\uFFFD");
    for (let hundredths = 0; hundredths <= 200; hundredths += 7) {
      const temperature = hundredths / 100;
      const response = await change(id, { temperature });
      expect([response.status, ((await response.json()) as Preset).temperature]).toEqual([200, temperature]);
    }
  });
});

it("sends all presets to clients that follow the account after each change, and to no others", async () => {
  const eve = await signUp(app);
  await using adas = await followAccount(app, ada.token);
  await using eves = await followAccount(app, eve.token);
  const preset = await add();
  expect(await adas.next()).toMatchObject({ presets: [preset] });
  await change(preset.id, { name: "Poet" });
  expect(await adas.next()).toMatchObject({ presets: [{ ...preset, name: "Poet" }] });
  await remove(preset.id);
  const { at, ...gone } = (await adas.next()) as { at: number; presets: Preset[] };
  expect(gone).toEqual({ presets: [] });
  await using later = await followAccount(app, ada.token, at - 1);
  expect(await later.next()).toEqual({ at, presets: [] });
  const own = await add({}, eve);
  expect(await eves.next()).toMatchObject({ presets: [own] });
});

describe("an account's instructions", () => {
  const read = async (by = ada) => (await call("GET", conversationPaths.instructions, undefined, by)).json();
  const write = (body: unknown, by = ada) => call("PUT", conversationPaths.instructions, body, by);
  const changesInLog = async () => {
    const log = securityLogSchema.parse(await (await call("GET", accountPaths.securityLog)).json());
    return log.filter(({ kind }) => kind === "instructions-changed").length;
  };

  it("instructions are stored unchanged, for the account only", async () => {
    expect(await read()).toEqual({ instructions: "" });
    const instructions = "  Be brief.\n\nCall me “Ada”. 🎩 ";
    const written = await write({ instructions });
    expect([written.status, await written.json()]).toEqual([200, { instructions }]);
    expect(await read()).toEqual({ instructions });
    expect(await read(await signUp(app))).toEqual({ instructions: "" });
    await write({ instructions: "a\0b\udfff" });
    expect(await read()).toEqual({ instructions: "a\uFFFDb\uFFFD" });
    await write({ instructions: "" });
    expect(await read()).toEqual({ instructions: "" });
  });

  it("L3 changed instructions are sent to every session of the account, also later, and logged in its security log", async () => {
    const browser = new TestBrowser(app);
    expect((await browser.signIn(ada.user.username, ada.password)).status).toBe(200);
    await using own = await followAccount(app, ada.token);
    await using other = await followAccount(app, browser.token ?? "");
    await write({ instructions: "Be brief." });
    const event = { at: own.start.at + 1, instructions: "Be brief." };
    expect(await own.next()).toEqual(event);
    expect(await other.next()).toEqual(event);
    await using later = await followAccount(app, browser.token ?? "", own.start.at);
    expect(await later.next()).toEqual(event);
    expect(await changesInLog()).toBe(1);
  });

  it("L3 changed instructions add at most one row a minute and session to the security log, and none if nothing changes", async () => {
    const browser = new TestBrowser(app);
    await browser.signIn(ada.user.username, ada.password);
    await using reader = await followAccount(app, ada.token);
    for (const instructions of ["Be", "Be brief", "Be brief"]) await write({ instructions });
    expect(await changesInLog()).toBe(1);
    await browser.call("PUT", conversationPaths.instructions, { instructions: "Tell Eve" });
    expect(await changesInLog()).toBe(2);
    clock.advance(MINUTE);
    await write({ instructions: "Be brief." });
    expect(await changesInLog()).toBe(3);
    expect(
      (await reader.until((event) => "instructions" in event && event.instructions === "Be brief.")).at(-1),
    ).toEqual({
      at: reader.start.at + 4,
      instructions: "Be brief.",
    });
  });

  it("L3 instructions of an imported file are sent to every session, and logged in the security log", async () => {
    await using reader = await followAccount(app, ada.token);
    const document = documentOf({ account: { instructions: "Tell Eve" }, chats: [] });
    expect((await call("POST", transferPaths.import, document)).status).toBe(200);
    expect(await reader.next()).toEqual({ at: reader.start.at + 1, instructions: "Tell Eve" });
    expect((await call("POST", transferPaths.import, document)).status).toBe(200);
    expect(await changesInLog()).toBe(1);
  });

  it("instructions are text of a bounded length", async () => {
    const longest = "ß".repeat(INSTRUCTIONS_MAX);
    expect((await write({ instructions: longest })).status).toBe(200);
    for (const instructions of [`${longest}x`, null, 7, undefined]) {
      expect((await write({ instructions })).status).toBe(400);
    }
    expect(await read()).toEqual({ instructions: longest });
  });

  it("instructions and presets require a session", async () => {
    const { id } = await add();
    for (const [method, path] of [
      ["GET", conversationPaths.instructions],
      ["PUT", conversationPaths.instructions],
      ["GET", conversationPaths.presets],
      ["POST", conversationPaths.presets],
      ["PATCH", conversationPaths.preset(id)],
      ["DELETE", conversationPaths.preset(id)],
      ["POST", conversationPaths.presetRestoration(id)],
    ] as const) {
      const body = method === "GET" ? undefined : { ...plain, instructions: "Mine" };
      expect([path, (await app.call(method, path, { body })).status]).toEqual([path, 401]);
    }
  });
});
