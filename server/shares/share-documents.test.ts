import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { HOUR } from "#contract/limits.ts";
import { SHARE_LINK_PATH, sharePaths } from "#contract/shares/paths.ts";
import { signUp } from "../../testing/accounts/sign-up.ts";
import { createTestHarness, startTestApp } from "../../testing/app/start-test-app.ts";
import { importChat, shareChat, tokenOf } from "../../testing/shares/share-chat.ts";
import { type LimitName, limits } from "../limits/limits.ts";
import { networkOf } from "../limits/networks.ts";

const harness = await createTestHarness();
const webFolder = join(harness.dataDir, "web");
await mkdir(join(webFolder, "shared-page"), { recursive: true });
await writeFile(join(webFolder, "index.html"), "");
await writeFile(join(webFolder, "shared-page/index.html"), "<title>Parley</title>");
const app = await startTestApp({ harness, webFolder, env: { RATE_LIMITS: "on" } });
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await harness[Symbol.asyncDispose]();
});

const documentOf = async (token: string) => {
  const response = await fetch(`${app.url}${SHARE_LINK_PATH}${token}`);
  const headers = [...response.headers].filter(([name]) => !["date", "x-request-id"].includes(name));
  return JSON.stringify([response.status, headers, await response.text()]);
};

it("H6 the document of a link for others, of one that has ended and of none have the same bytes", async () => {
  const ada = await signUp(app);
  const chat = await importChat(app, ada, { title: "Fjords" });
  const absent = await documentOf("A".repeat(22));
  const restricted = await shareChat(app, ada, chat, { audience: "signed-in" });
  const [expired, revoked] = [await shareChat(app, ada, chat, { days: 1 }), await shareChat(app, ada, chat)];
  for (const share of [expired, revoked]) expect(await documentOf(tokenOf(share))).toContain("Fjords");
  const past = { expires_at: app.context.clock.now() - HOUR };
  await app.context.database.updateTable("shares").set(past).where("id", "=", expired.id).execute();
  await app.call("DELETE", sharePaths.share(revoked.id), { token: ada.token });
  for (const share of [restricted, expired, revoked]) expect(await documentOf(tokenOf(share))).toBe(absent);
});

it("H6 a network that opens too many links gets no pages, files or titles, and the owner sees the own link", async () => {
  const ada = await signUp(app);
  const share = await shareChat(app, ada, await importChat(app, ada, { title: "Fjords" }));
  const token = tokenOf(share);
  const statusOf = async (path: string) => (await app.call("GET", path)).status;
  const answers = async () => [
    (await documentOf(token)).includes("Fjords"),
    await statusOf(sharePaths.sharedPage(token)),
    await statusOf(sharePaths.sharedFile(token, 0)),
  ];
  expect(await answers()).toEqual([true, 200, 404]);
  for (const name of ["share-preview", "share-view", "share-file"] satisfies LimitName[]) {
    await app.context.limits.add(name, networkOf("127.0.0.1"), limits[name].times);
  }
  expect(await answers()).toEqual([false, 429, 429]);
  expect((await app.call("GET", sharePaths.page(share.id), { token: ada.token })).status).toBe(200);
});
