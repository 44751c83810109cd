import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { SHARE_LINK_PATH, sharePaths } from "#contract/shares/paths.ts";
import { signUp } from "../../testing/accounts/sign-up.ts";
import { createTestHarness, startTestApp } from "../../testing/app/start-test-app.ts";
import { importChat, shareChat, tokenOf } from "../../testing/shares/share-chat.ts";
import { type LimitName, limits } from "../limits/limits.ts";
import { networkOf } from "../limits/networks.ts";

it("H6 a network that opens too many links gets no pages, files or titles, and an account is not concerned", async () => {
  await using harness = await createTestHarness();
  const webFolder = join(harness.dataDir, "web");
  await mkdir(join(webFolder, "shared-page"), { recursive: true });
  await writeFile(join(webFolder, "index.html"), "");
  await writeFile(join(webFolder, "shared-page/index.html"), "<title>Parley</title>");
  await using app = await startTestApp({ harness, webFolder, env: { RATE_LIMITS: "on" } });
  const ada = await signUp(app);
  const chat = await importChat(app, ada, { title: "Fjords" });
  const share = await shareChat(app, ada, chat);
  const token = tokenOf(share);
  const statusOf = async (path: string) => (await app.call("GET", path)).status;
  const documentOf = async () => (await fetch(`${app.url}${SHARE_LINK_PATH}${token}`)).text();
  const answers = async () => [
    (await documentOf()).includes("Fjords"),
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
