import { expect, it } from "vitest";
import { administeredAccountSchema } from "#contract/administration/administration.ts";
import { administrationPaths } from "#contract/administration/paths.ts";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { filePaths } from "#contract/files/paths.ts";
import { type Storage, storageSchema } from "#contract/files/storage.ts";
import { MEGABYTE } from "#contract/limits.ts";
import { moveToGroup, newGroup } from "../../testing/accounts/groups.ts";
import { signUpAs } from "../../testing/accounts/roles.ts";
import { signUp } from "../../testing/accounts/sign-up.ts";
import { disposeAfterAll } from "../../testing/app/dispose-after-all.ts";
import { startTestApp } from "../../testing/app/start-test-app.ts";
import { problemOf } from "../../testing/http/problem-of.ts";

const app = disposeAfterAll(
  await startTestApp({ env: { RATE_LIMITS: "off", MAX_ACCOUNT_MB: "9", MAX_MESSAGE_CHARS: "300000" } }),
);
const owner = await signUpAs(app, "owner");

it("the own quota of an account overrides its group's, and that the server's, for chats and files", async () => {
  const ada = await signUp(app);
  const { token, user } = ada;
  const group = await newGroup(app, owner, { quotaMb: 1 });
  const call = (method: string, path: string, body?: unknown) => app.call(method, path, { token, body });
  const quota = async () => {
    const storage: Storage = storageSchema.parse(await (await call("GET", filePaths.storage)).json());
    return storage.maxBytes / MEGABYTE;
  };
  const { id: chat } = (await (await call("POST", conversationPaths.chats)).json()) as { id: string };
  const append = () =>
    call("POST", conversationPaths.chatMessage(chat), { role: "user", content: "x".repeat(290_000) });
  const upload = () => call("PUT", filePaths.file(crypto.randomUUID()), Buffer.from("x".repeat(600_000)));
  const codeOf = async (response: Response) => (response.ok ? "done" : (await problemOf(response)).code);
  const setOwn = (quotaMb: number | null) =>
    app.call("PATCH", administrationPaths.account(user.id), { token: owner.token, body: { quotaMb } });

  expect(await quota()).toBe(9);
  expect(await codeOf(await upload())).toBe("done");
  await moveToGroup(app, group.id, ada);
  expect(await quota()).toBe(1);
  expect(await codeOf(await upload())).toBe("quota-reached");
  expect(await codeOf(await append())).toBe("done");
  expect(await codeOf(await append())).toBe("quota-reached");
  const answer = await setOwn(3);
  expect(administeredAccountSchema.parse(await answer.json())).toMatchObject({ quotaMb: 3, groupQuotaMb: 1 });
  expect(await quota()).toBe(3);
  expect(await codeOf(await append())).toBe("done");
  expect(await codeOf(await upload())).toBe("done");
  await setOwn(null);
  expect(await quota()).toBe(1);
  await moveToGroup(app, null, ada);
  expect(await quota()).toBe(9);
});
