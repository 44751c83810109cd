import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { accountPaths } from "#contract/accounts/paths.ts";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { MEGABYTE } from "#contract/limits.ts";
import { problemSchema } from "#contract/problem.ts";
import { transferPaths } from "#contract/transfer/paths.ts";
import { signUp, type TestAccount } from "../../../testing/accounts/sign-up.ts";
import { startTestApp, type TestApp } from "../../../testing/app/start-test-app.ts";
import { documentOf, exported } from "../../../testing/chats/exported-chats.ts";

const FLOOR = 7 * MEGABYTE;
/** Results of successive readings of the free space; the last one is repeated. */
let readings: number[];
let app: TestApp;
let ada: TestAccount;
beforeAll(async () => {
  const freeSpace = async () => (readings.length > 1 ? readings.shift() : readings[0]) ?? 0;
  app = await startTestApp({ env: { MIN_FREE_DISK_MB: "7" }, freeSpace, demoPause: async () => undefined });
});
afterAll(() => app[Symbol.asyncDispose]());
beforeEach(async () => {
  readings = [FLOOR];
  ada = await signUp(app);
});

const call = (method: string, path: string, body?: unknown) => app.call(method, path, { token: ada.token, body });
const take = (titles: string[]) =>
  call("POST", transferPaths.import, documentOf({ chats: titles.map((title) => exported({ title })) }));
const titles = async () =>
  ((await (await call("GET", conversationPaths.chatHistory)).json()) as { title: string }[]).map(({ title }) => title);
const ready = async () => {
  const response = await fetch(`${app.url}/readyz`);
  return [response.status, await response.json()];
};
async function expectRefused(response: Response): Promise<void> {
  expect(response.status).toBe(507);
  const { code, detail } = problemSchema.parse(await response.json());
  expect([code, detail]).toEqual(["storage-full", expect.stringContaining("no room")]);
}

it("K4 imports are refused below the floor of free space, while replies and sign-ins go on", async () => {
  expect(await ready()).toEqual([200, { status: "ready", imports: "accepted" }]);
  expect((await take(["Above"])).status).toBe(200);
  readings = [FLOOR - 1];
  await expectRefused(await take(["Below"]));
  expect(await titles()).toEqual(["Above"]);
  expect(await ready()).toEqual([200, { status: "ready", imports: "refused" }]);
  const { id } = (await (await call("POST", conversationPaths.chats, {})).json()) as { id: string };
  expect((await call("POST", conversationPaths.chatSend(id), { message: "Still there?" })).status).toBe(200);
  const { username } = ada.user;
  const body = { username, password: ada.password };
  expect((await app.call("POST", accountPaths.login, { body })).status).toBe(200);
  readings = [FLOOR];
  expect((await take(["Again"])).status).toBe(200);
});

it("K4 an import stops at the floor: earlier chats are complete, later ones are not stored", async () => {
  // Free space is read before the body and before each chat.
  readings = [FLOOR, FLOOR, FLOOR - 1];
  await expectRefused(await take(["First", "Second"]));
  expect(await titles()).toEqual(["First"]);
});
