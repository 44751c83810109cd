import { conversationPaths } from "#contract/conversation/paths.ts";
import { sharePaths } from "#contract/shares/paths.ts";
import type { SharedPageAnswer } from "#contract/shares/shared-page.ts";
import {
  defaultShareOptions,
  type Publication,
  type Share,
  type ShareDraft,
  type ShareOptions,
  shareDraftSchema,
  shareSchema,
} from "#contract/shares/shares.ts";
import { transferPaths } from "#contract/transfer/paths.ts";
import type { ExportedChat } from "#contract/transfer/transfer.ts";
import type { TestAccount } from "../accounts/sign-up.ts";
import type { TestApp } from "../app/start-test-app.ts";
import { documentOf, exported } from "../chats/exported-chats.ts";

type Owner = Pick<TestAccount, "token">;

/** Imports a chat. @returns its id */
export async function importChat(app: TestApp, { token }: Owner, given: Partial<ExportedChat> = {}): Promise<string> {
  const idsOf = async () => {
    const chats = await app.call("GET", conversationPaths.chatHistory, { token });
    return ((await chats.json()) as { id: string }[]).map(({ id }) => id);
  };
  const before = new Set(await idsOf());
  await app.call("POST", transferPaths.import, { token, body: documentOf({ chats: [exported(given)] }) });
  const imported = (await idsOf()).find((id) => !before.has(id));
  if (imported === undefined) throw new Error("The chat was not imported");
  return imported;
}

/** Renders a draft. */
export async function draftOf(
  app: TestApp,
  { token }: Owner,
  chatId: string,
  options: Partial<ShareOptions> = {},
): Promise<ShareDraft> {
  const body = { ...defaultShareOptions, ...options };
  const response = await app.call("POST", sharePaths.drafts(chatId), { token, body });
  if (response.status !== 201) throw new Error(`A draft answered ${response.status} ${await response.text()}`);
  return shareDraftSchema.parse(await response.json());
}

/** Makes a link, by default for anyone and without end. */
export async function shareChat(
  app: TestApp,
  owner: Owner,
  chatId: string,
  { options = {}, ...publication }: Partial<Publication> & { options?: Partial<ShareOptions> } = {},
): Promise<Share> {
  const { id } = await draftOf(app, owner, chatId, options);
  const body = { audience: "anyone", days: null, ...publication };
  const response = await app.call("POST", sharePaths.publication(id), { token: owner.token, body });
  if (response.status !== 200) throw new Error(`A publication answered ${response.status} ${await response.text()}`);
  return shareSchema.parse(await response.json());
}

/** Returns the token at the end of a link's address. */
export const tokenOf = ({ url }: Pick<Share, "url">): string => url?.split("/").at(-1) ?? "";

/** Reads the page of a link. */
export async function readShared(app: TestApp, share: Share, token?: string): Promise<SharedPageAnswer> {
  const response = await app.call("GET", sharePaths.sharedPage(tokenOf(share)), token === undefined ? {} : { token });
  if (response.status !== 200) throw new Error(`A link answered ${response.status} ${await response.text()}`);
  return (await response.json()) as SharedPageAnswer;
}
