import { expect, it } from "vitest";
import { administeredAccountSchema } from "#contract/administration/administration.ts";
import { administrationPaths } from "#contract/administration/paths.ts";
import { DAY, HOUR } from "#contract/limits.ts";
import { sharePaths } from "#contract/shares/paths.ts";
import { SHARES_MAX } from "#contract/shares/shares.ts";
import { moveToGroup, newGroup } from "../../testing/accounts/groups.ts";
import { signUpAs } from "../../testing/accounts/roles.ts";
import { changeSettingsOf } from "../../testing/accounts/settings.ts";
import { signUp } from "../../testing/accounts/sign-up.ts";
import { disposeAfterAll } from "../../testing/app/dispose-after-all.ts";
import { startTestApp } from "../../testing/app/start-test-app.ts";
import { problemOf } from "../../testing/http/problem-of.ts";
import { draftOf, importChat, openShared, shareChat, sharesOf, tokenOf } from "../../testing/shares/share-chat.ts";

const app = disposeAfterAll(await startTestApp({ env: { RATE_LIMITS: "off" } }));
const owner = await signUpAs(app, "owner");

it("links of a disabled account pause, and go on when it is enabled", async () => {
  const ada = await signUp(app);
  const share = await shareChat(app, ada, await importChat(app, ada));
  const set = (disabled_at: number | null) =>
    app.context.database.updateTable("users").set({ disabled_at }).where("id", "=", ada.user.id).execute();
  await set(1);
  expect((await openShared(app, tokenOf(share))).status).toBe(404);
  await set(null);
  expect((await openShared(app, tokenOf(share))).status).toBe(200);
});

it("owners switch links off, restrict them and shorten their life, for existing links too", async () => {
  const ada = await signUp(app);
  const share = await shareChat(app, ada, await importChat(app, ada));
  const statuses = async () => [
    (await openShared(app, tokenOf(share))).status,
    (await openShared(app, tokenOf(share), ada.token)).status,
  ];
  try {
    await changeSettingsOf(app, owner, { shareLinks: "signed-in" });
    expect(await statuses()).toEqual([404, 200]);
    expect(await sharesOf(app, ada)).toMatchObject({
      rules: { audiences: ["signed-in"] },
      shares: [{ audience: "signed-in" }],
    });
    await changeSettingsOf(app, owner, { shareLinks: "off" });
    expect(await statuses()).toEqual([404, 404]);
    const refused = await app.call("POST", sharePaths.drafts(share.chatId), {
      token: ada.token,
      body: { reasoning: false, tools: false, files: false, author: false },
    });
    expect((await problemOf(refused)).code).toBe("sharing-off");
    await changeSettingsOf(app, owner, { shareLinks: null, shareDaysMax: 7 });
    expect((await sharesOf(app, ada)).shares[0]?.expiresAt).toBeLessThan(app.context.clock.now() + 8 * 24 * HOUR);
    const draft = await draftOf(app, ada, share.chatId);
    const body = { audience: "anyone", days: 30 };
    const tooLong = await app.call("POST", sharePaths.publication(draft.id), { token: ada.token, body });
    expect((await problemOf(tooLong)).code).toBe("invalid-input");
  } finally {
    await changeSettingsOf(app, owner, { shareLinks: null, shareDaysMax: null });
  }
});

it("a group without links pauses those of its members", async () => {
  const ada = await signUp(app);
  const group = await newGroup(app, owner, { mayShare: false });
  const share = await shareChat(app, ada, await importChat(app, ada));
  await moveToGroup(app, group.id, ada);
  expect((await openShared(app, tokenOf(share))).status).toBe(404);
  expect(await sharesOf(app, ada)).toMatchObject({ rules: { audiences: [] }, shares: [{ isPaused: true }] });
});

it("a link for a group stays with that group, and pauses while its owner is in another one", async () => {
  const [ada, bob, cem] = [await signUp(app), await signUp(app), await signUp(app)];
  const [staff, pupils] = [await newGroup(app, owner, { name: "Staff" }), await newGroup(app, owner, { name: "7b" })];
  await moveToGroup(app, staff.id, ada, bob);
  await moveToGroup(app, pupils.id, cem);
  const chat = await importChat(app, ada);
  const share = await shareChat(app, ada, chat, { audience: "group" });
  const statuses = () =>
    Promise.all([ada, bob, cem].map(async ({ token }) => (await openShared(app, tokenOf(share), token)).status));
  expect(await statuses()).toEqual([200, 200, 404]);
  await moveToGroup(app, pupils.id, ada);
  expect(await statuses()).toEqual([200, 404, 404]);
  expect(await sharesOf(app, ada)).toMatchObject({
    rules: { group: "7b" },
    shares: [{ group: "Staff", isPaused: true }],
  });
  await shareChat(app, ada, chat, { audience: "group", replaces: share.id });
  expect(await statuses()).toEqual([200, 404, 200]);
  await app.call("DELETE", administrationPaths.group(pupils.id), { token: owner.token });
  expect(await statuses()).toEqual([200, 404, 404]);
});

it("links are recorded without their address, and an account has a limited number of links that have not ended", async () => {
  const ada = await signUp(app);
  const chat = await importChat(app, ada);
  const share = await shareChat(app, ada, chat);
  await app.call("DELETE", sharePaths.share(share.id), { token: ada.token });
  const { database } = app.context;
  const records = await database.selectFrom("audit_events").selectAll().where("subject", "=", ada.user.id).execute();
  expect(records.map(({ kind }) => kind)).toEqual(["share-made", "share-revoked"]);
  expect(JSON.stringify(records)).not.toContain(tokenOf(share));
  const draft = await draftOf(app, ada, chat);
  const stored = await database.selectFrom("shares").selectAll().where("id", "=", draft.id).executeTakeFirstOrThrow();
  const rows = Array.from({ length: SHARES_MAX }, (_, at) => ({
    ...stored,
    ...{
      id: `${ada.user.id}-${at}`,
      token_hash: `${ada.user.id}-${at}`,
      published_at: 1,
      audience: "anyone" as const,
      bytes: 0,
    },
  }));
  await database.insertInto("shares").values(rows).execute();
  const body = { audience: "anyone", days: null };
  const refused = await app.call("POST", sharePaths.publication(draft.id), { token: ada.token, body });
  expect((await problemOf(refused)).code).toBe("too-many-shares");
  const countOf = async () => {
    const person = await app.call("GET", administrationPaths.account(ada.user.id), { token: owner.token });
    return administeredAccountSchema.parse(await person.json()).shares;
  };
  expect(await countOf()).toBe(SHARES_MAX);
  await changeSettingsOf(app, owner, { shareDaysMax: 7 });
  expect(await countOf()).toBe(0);
  const published = await app.call("POST", sharePaths.publication(draft.id), {
    token: ada.token,
    body: { audience: "anyone", days: 7 },
  });
  expect(published.status).toBe(200);
  await changeSettingsOf(app, owner, { shareDaysMax: null });
});

it("drafts that are a day old are removed, and links that ended a day ago, also by the longest life", async () => {
  const ada = await signUp(app);
  const chat = await importChat(app, ada);
  const { database, clock, sweep } = app.context;
  const ids: string[] = [];
  const rows = [
    { created_at: clock.now() - 2 * DAY },
    { expires_at: clock.now() - 2 * DAY },
    { published_at: clock.now() - 9 * DAY },
    { expires_at: clock.now() - HOUR },
    { created_at: clock.now() - HOUR },
  ];
  for (const [at, changes] of rows.entries()) {
    const { id } = at === 1 || at === 2 || at === 3 ? await shareChat(app, ada, chat) : await draftOf(app, ada, chat);
    await database.updateTable("shares").set(changes).where("id", "=", id).execute();
    ids.push(id);
  }
  const stored = async () => {
    const found = await database.selectFrom("shares").select("id").where("user_id", "=", ada.user.id).execute();
    return found.map(({ id }) => ids.indexOf(id)).sort();
  };
  await sweep.run();
  expect(await stored()).toEqual([2, 3, 4]);
  await changeSettingsOf(app, owner, { shareDaysMax: 7 });
  await sweep.run();
  expect(await stored()).toEqual([3, 4]);
  await changeSettingsOf(app, owner, { shareDaysMax: null });
});
