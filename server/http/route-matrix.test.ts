import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { accountRoles, hasRole } from "#contract/accounts/roles.ts";
import { administrationPaths } from "#contract/administration/paths.ts";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { API_BASE } from "#contract/http.ts";
import { problemSchema } from "#contract/problem.ts";
import { giveRole } from "../../testing/accounts/roles.ts";
import { newOwner, newOwnerFor, noIds, type Owner } from "../../testing/accounts/route-owner.ts";
import { signUp, type TestAccount } from "../../testing/accounts/sign-up.ts";
import { startTestApp, type TestApp } from "../../testing/app/start-test-app.ts";
import { allRows } from "../../testing/database/all-rows.ts";
import { uploadFile } from "../../testing/files/upload.ts";
import type { RouteExpectation, RouteIds } from "../../testing/http/route-expectation.ts";
import { isAdministrative, pathFor, routeOf, routeRows } from "../../testing/http/route-rows.ts";
import { newId } from "../database/new-id.ts";

// Only a safety net against hanging, because some tests call every route with every method and body.
vi.setConfig({ testTimeout: 120_000 });

let app: TestApp;
let ada: Owner;
let eve: Owner;
beforeAll(async () => {
  // The demo assistant answers without pauses.
  app = await startTestApp({ demoPause: async () => undefined, env: { MCP_OWN_SERVERS: "on" } });
  ada = await newOwner(app);
  eve = await newOwner(app);
});
afterAll(() => app[Symbol.asyncDispose]());

/** Marks the account's sessions as if a proof of ownership had just been given. */
async function prove({ user }: TestAccount): Promise<void> {
  const sessions = app.context.database.updateTable("sessions").where("user_id", "=", user.id);
  await sessions.set({ proved_at: Date.now() }).execute();
}

const rows = Object.entries(routeRows).map(([name, row]) => ({ name, ...row, ...routeOf(name) }));
type Row = (typeof rows)[number];

const pathOf = (row: Row, ids: RouteIds): string => pathFor(row, row.path, ids) + (row.query?.(ids) ?? "");
const bodyOf = ({ body }: RouteExpectation, { user, password, ids }: Owner) =>
  body?.({ username: user.username, email: user.email, password }, ids);

/** Returns status, headers and text of a response. A stream is aborted without reading its text. */
async function answerOf(row: Row, calling: (signal: AbortSignal) => Promise<Response>) {
  const leaving = new AbortController();
  const response = await calling(leaving.signal);
  const isStream = row.isStream && response.ok;
  const text = isStream ? "" : await response.text();
  leaving.abort();
  return { status: response.status, text, headers: response.headers };
}

const call = (row: Row, ids: RouteIds, given: { token?: string; body?: unknown; headers?: Record<string, string> }) =>
  answerOf(row, (signal) => app.call(row.method, pathOf(row, ids), { ...given, signal }));

/** Waits until replies that earlier calls began have ended, and delivers their outbox messages. */
async function settled(): Promise<void> {
  const { database, outbox } = app.context;
  const writing = database.selectFrom("messages").select("id").where("state", "=", "writing");
  await vi.waitUntil(async () => (await writing.execute()).length === 0);
  await outbox.deliverDue();
}

/** Asserts that `act` changes no row of the database. */
async function leavesAll(act: () => Promise<void>): Promise<void> {
  await settled();
  const before = await allRows(app.context.database);
  await act();
  const after = await allRows(app.context.database);
  const [gone, added] = [without(before, after), without(after, before)];
  expect({ gone, added }).toEqual({ gone: [], added: [] });
}

function without(lines: string[], known: string[]): string[] {
  const has = new Set(known);
  return lines.filter((line) => !has.has(line));
}

/** Describes what a route requires. */
const needs = (role: string, proof?: boolean) => (proof ? `${role}, proof` : role);

it("H3 every route has a row here, with the role and the proof that the route requires", () => {
  const served = app.routes
    .filter(({ method, url }) => method !== "HEAD" && url.startsWith(`${API_BASE}/`))
    .filter(({ url }) => !url.startsWith(`${API_BASE}/docs`))
    .map(({ method, url, role, proof }) => `${method} ${url.slice(API_BASE.length)}: ${needs(role, proof)}`);
  expect(served.sort()).toEqual(rows.map(({ name, role, proof }) => `${name}: ${needs(role, proof)}`).sort());
  for (const { method, url, role, proof } of app.routes) {
    const isOther = !url.startsWith(`${API_BASE}/`) || url.startsWith(`${API_BASE}/docs`) || url === API_BASE;
    if (isOther) expect(`${method} ${url} ${needs(role, proof)}`).toMatch(/^(GET|HEAD) .* open$/);
  }
});

describe("calls with the account's own ids", () => {
  it.each(rows)("$name succeeds with the account's own ids", async (row) => {
    const own = await newOwnerFor(app, row);
    if (row.proof) await prove(own);
    const body = bodyOf(row, own);
    const { status, text } = await call(row, own.ids, { ...(row.role !== "open" && own), body });
    expect([status, text]).toEqual([row.status, text]);
  });
});

it("A7 L3 every route that requires a proof checks it before anything else, and changes nothing", async () => {
  const asking = rows.filter(({ proof }) => proof);
  expect(asking.length).toBeGreaterThan(4);
  const administrator = await newOwnerFor(app, { role: "administrator" });
  await leavesAll(async () => {
    for (const row of asking) {
      const own = isAdministrative(row) ? administrator : ada;
      for (const body of row.method === "GET" ? [undefined] : [bodyOf(row, own), {}]) {
        const { status, text } = await call(row, own.ids, { token: own.token, body });
        expect([row.name, status]).toEqual([row.name, 403]);
        expect(problemSchema.parse(JSON.parse(text))).toMatchObject({ code: "proof-needed" });
      }
    }
  });
});

/** Other valid bodies of routes that accept several kinds; `routeRows` has one kind each. */
const otherBodies: Record<string, object[]> = {
  [`POST ${conversationPaths.chatReply(":id")}`]: [{ mode: "retry" }, { mode: "continue" }],
  [`POST ${conversationPaths.chatMessage(":id")}`]: [{ role: "assistant", content: "Noted" }],
};

const visibleIn = ({ status, text, headers }: { status: number; text: string; headers: Headers }) => ({
  status,
  text,
  names: [...headers.keys()],
});

describe("H1 ids of another account", () => {
  it("every route answers the same for another account's id and an unknown one, and changes nothing", async () => {
    await prove(eve);
    const naming = rows.filter((row) => row.id !== undefined && !isAdministrative(row));
    expect(naming.length).toBeGreaterThan(8);
    await leavesAll(async () => {
      for (const row of naming) {
        for (const body of [bodyOf(row, eve), ...(otherBodies[row.name] ?? [])]) {
          const given = { token: eve.token, body };
          const unknown = visibleIn(await call(row, noIds(), given));
          expect([row.name, body, unknown.status]).toEqual([row.name, body, 404]);
          expect(visibleIn(await call(row, ada.ids, given))).toEqual(unknown);
        }
      }
    });
  });

  it("V1 another account's reply cannot be read, followed, chosen or answered by its id in an own chat", async () => {
    const { token } = eve;
    const join = (reply: string) =>
      app.call("GET", `${conversationPaths.chatReply(eve.ids.chat)}?reply=${reply}`, { token });
    const post = (path: string, body: unknown) => app.call("POST", path, { token, body });
    const follow = (parent: string) => post(conversationPaths.chatSend(eve.ids.chat), { message: "Hi", parent });
    const branch = (parent: string) =>
      post(conversationPaths.chatSend(eve.ids.chat), { message: "Hi", parent, branch: true });
    const choose = (message: string) => post(conversationPaths.chatBranch(eve.ids.chat), { message });
    const answer = (of: string) => post(conversationPaths.chatReply(eve.ids.chat), { mode: "regenerate", of });
    const goOn = (parent: string) => post(conversationPaths.chatReply(eve.ids.chat), { mode: "continue", parent });
    const list = (before: string) =>
      app.call("GET", `${conversationPaths.chatHistory}?limit=5&before=${before}`, { token });
    await leavesAll(async () => {
      for (const ask of [join, follow, branch, choose, answer, goOn, list]) {
        const [others, nobodys] = [await ask(ada.ids.reply), await ask(newId())];
        expect([others.status, await others.text()]).toEqual([nobodys.status, await nobodys.text()]);
        expect(others.ok).toBe(ask === list);
      }
    });
  });

  it("lists contain nothing of another account", async () => {
    const traces = [...Object.values(ada.ids), ada.user.id, ada.user.username, ada.user.email];
    await prove(eve);
    const lists = rows.filter((row) => row.id === undefined && !row.isStream && !isAdministrative(row));
    for (const { name, method, path } of lists) {
      if (method !== "GET") continue;
      const text = await (await app.call(method, path, { token: eve.token })).text();
      expect([name, traces.filter((trace) => text.includes(trace))]).toEqual([name, []]);
    }
  });
});

describe("H2 unknown fields", () => {
  const withFields = rows.filter(({ body, isUpload }) => body !== undefined && !isUpload);

  it.each(withFields)("$name ignores unknown fields", async (row) => {
    const own = await newOwnerFor(app, row);
    if (row.proof) await prove(own);
    const of = (userId: string) => `"${userId}"`;
    const adas = async () => (await allRows(app.context.database)).filter((line) => line.includes(of(ada.user.id)));
    const before = await adas();
    const extra = {
      user: { id: ada.user.id },
      role: "admin",
      // That route accepts a title.
      ...(row.name !== `PATCH ${conversationPaths.chat(":id")}` && { title: "canary-foreign" }),
      embeds: ["<script>"],
      userId: ada.user.id,
      user_id: ada.user.id,
      sub: ada.user.id,
      id: ada.ids.reply,
      sessionId: ada.ids.session,
      chatId: ada.ids.chat,
      chat_id: ada.ids.chat,
      createdAt: 1,
      created_at: 1,
      verified_at: 1,
      emailVerified: true,
      proved_at: Date.now(),
      password_hash: "x",
      google_subject: "1",
      change_seq: 0,
      state: "complete",
      status: "complete",
      owner: "x",
      isAdmin: true,
      baseURL: "https://evil.example",
      iconURL: "https://evil.example/x.png",
      html: "<script>alert(1)</script>",
    };
    const fields = bodyOf(row, own);
    const { status } = await call(row, own.ids, { ...(row.role !== "open" && own), body: { ...extra, ...fields } });
    // If one field were refused, the effect of the others would not be seen.
    expect(status).toBe(row.status);
    expect(await adas()).toEqual(before);
    const all = (await allRows(app.context.database)).join("\n");
    for (const trace of ["evil.example", "alert(1)", "canary-foreign"]) expect(all).not.toContain(trace);
  });

  it("V7 prototype pollution is refused by every route with a body", async () => {
    const administrator = await newOwnerFor(app, { role: "administrator" });
    await prove(eve);
    await prove(administrator);
    await leavesAll(async () => {
      for (const row of withFields.filter(({ role }) => role !== "open")) {
        const own = isAdministrative(row) ? administrator : eve;
        const text = JSON.stringify(bodyOf(row, own)).slice(0, -1);
        for (const poison of ['"__proto__":{"isAdmin":true}', '"constructor":{"prototype":{"isAdmin":true}}']) {
          const headers = { authorization: `Bearer ${own.token}`, "content-type": "application/json" };
          const url = app.url + API_BASE + pathOf(row, own.ids);
          const response = await fetch(url, { method: row.method, headers, body: `${text},${poison}}` });
          expect([row.name, response.status]).toEqual([row.name, 400]);
        }
      }
    });
    expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined();
  });
});

it("G2 G6 reading changes nothing, and unsupported methods are refused with 405", async () => {
  const administrator = await newOwnerFor(app, { role: "administrator" });
  await prove(administrator);
  await prove(eve);
  await leavesAll(async () => {
    for (const path of new Set(rows.map((row) => row.path))) {
      const taken = rows.filter((row) => row.path === path).map(({ method }) => method);
      const row = rows.find((one) => one.path === path);
      for (const method of row ? ["GET", "HEAD", "OPTIONS", "PUT", "PATCH", "DELETE", "POST"] : []) {
        if (!row || (taken.includes(method) && method !== "GET")) continue;
        const own = isAdministrative(row) ? administrator : eve;
        const url = pathOf(row, own.ids);
        const asked = (signal: AbortSignal) => app.call(method, url, { token: own.token, signal });
        const { status, headers } = await answerOf({ ...row, isStream: true }, asked);
        const isRead = taken.includes("GET") && (method === "GET" || method === "HEAD");
        if (!isRead) expect([method, path, status, headers.has("allow")]).toEqual([method, path, 405, true]);
        else expect([method, path, status === 200 || status === 405]).toEqual([method, path, true]);
      }
    }
  });
});

describe("P1 roles of routes", () => {
  const roleRows = rows.filter(isAdministrative);

  it.each(accountRoles)("P1 no %s calls a route of a higher role, and nothing changes", async (role) => {
    const higher = roleRows.filter((row) => !hasRole(role, row.role as (typeof accountRoles)[number]));
    const [own, { ids }] = [await newOwner(app), await newOwnerFor(app, { role: "administrator" })];
    await giveRole(app, own, role);
    await prove(own);
    expect(higher.length > 40).toBe(!hasRole(role, "administrator"));
    await leavesAll(async () => {
      for (const row of higher) {
        for (const body of row.method === "GET" ? [undefined] : [bodyOf(row, { ...own, ids }), {}]) {
          const { status, text } = await call(row, ids, { token: own.token, body });
          expect([row.name, status]).toEqual([row.name, 403]);
          expect(problemSchema.parse(JSON.parse(text))).toMatchObject({ code: "not-permitted" });
        }
      }
    });
  });

  it("P1 no answer of a route of administration contains a word of a chat", async () => {
    const word = "zyxomma";
    const wordy = await newWordyAccount(word);
    const owner = await newOwnerFor(app, { role: "owner" });
    await prove(owner);
    const ids = { ...owner.ids, account: wordy.user.id };
    const reading = rows.filter(({ method, path }) => method === "GET" && path.startsWith("/admin/"));
    expect(reading.length).toBeGreaterThan(4);
    for (const row of reading) {
      for (const path of [pathFor(row, row.path, ids), pathOf(row, ids)]) {
        const response = await app.call("GET", path, { token: owner.token });
        const text = await response.text();
        expect([path, response.status, text.includes(word)]).toEqual([path, 200, false]);
      }
    }
    const found = await app.call("GET", `${administrationPaths.accounts}?q=${word}`, { token: owner.token });
    expect(await found.json()).toEqual({ accounts: [], total: 0 });
  });

  /** Returns an account that an administrator has changed, and whose words all are this one. */
  async function newWordyAccount(word: string): Promise<TestAccount> {
    const account = await signUp(app);
    const { token } = account;
    const send = (method: string, path: string, body: unknown) => app.call(method, path, { token, body });
    const file = await uploadFile(app, { token, name: `${word}.txt`, bytes: `${word} in a file` });
    const { id } = (await (await send("POST", conversationPaths.chats, {})).json()) as { id: string };
    const answers = [
      await send("POST", conversationPaths.chatSend(id), { message: word, files: [file.id] }),
      await send("PATCH", conversationPaths.chat(id), { title: word, instructions: word }),
      await send("PUT", conversationPaths.instructions, { instructions: word }),
      await send("POST", conversationPaths.presets, { name: word, instructions: word, model: null, temperature: null }),
      await send("POST", conversationPaths.folders, { name: word }),
    ];
    expect(answers.map(({ ok }) => ok)).toEqual(answers.map(() => true));
    await settled();
    expect((await allRows(app.context.database)).join("").split(word).length).toBeGreaterThan(8);
    return account;
  }
});
