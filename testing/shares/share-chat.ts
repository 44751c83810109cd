import { conversationPaths } from "#contract/conversation/paths.ts";
import { sharePaths } from "#contract/shares/paths.ts";
import type { SharedPageAnswer } from "#contract/shares/shared-page.ts";
import {
  defaultShareOptions,
  type Publication,
  type Share,
  type ShareDraft,
  type ShareList,
  type ShareOptions,
  shareDraftSchema,
  shareListSchema,
  shareSchema,
} from "#contract/shares/shares.ts";
import { transferPaths } from "#contract/transfer/paths.ts";
import type { ExportedChat } from "#contract/transfer/transfer.ts";
import type { TestAccount } from "../accounts/sign-up.ts";
import type { TestApp } from "../app/start-test-app.ts";
import { documentOf, exported } from "../chats/exported-chats.ts";

/** Calls a route as an account. Returns the JSON of the answer, and throws if the call is refused. */
export type AccountCall = (method: "GET" | "POST", path: string, body?: unknown) => Promise<unknown>;

/** Imports a chat. @returns its id */
export async function importChatBy(call: AccountCall, given: Partial<ExportedChat> = {}): Promise<string> {
  const idsOf = async () =>
    ((await call("GET", conversationPaths.chatHistory)) as { id: string }[]).map(({ id }) => id);
  const before = new Set(await idsOf());
  await call("POST", transferPaths.import, documentOf({ chats: [exported(given)] }));
  const imported = (await idsOf()).find((id) => !before.has(id));
  if (imported === undefined) throw new Error("The chat was not imported");
  return imported;
}

/** Renders a draft. */
export async function draftBy(
  call: AccountCall,
  chatId: string,
  options: Partial<ShareOptions> = {},
): Promise<ShareDraft> {
  return shareDraftSchema.parse(await call("POST", sharePaths.drafts(chatId), { ...defaultShareOptions, ...options }));
}

/** Makes a draft a link, by default for anyone and without end. */
export async function publishBy(
  call: AccountCall,
  { id }: ShareDraft,
  publication: Partial<Publication> = {},
): Promise<Share> {
  const body = { audience: "anyone", days: null, ...publication };
  return shareSchema.parse(await call("POST", sharePaths.publication(id), body));
}

type Owner = Pick<TestAccount, "token">;

const callOf =
  (app: TestApp, { token }: Owner): AccountCall =>
  async (method, path, body) => {
    const response = await app.call(method, path, { token, ...(body !== undefined && { body }) });
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status} ${await response.text()}`);
    return response.json();
  };

/** Imports a chat into an account of a test server. @returns its id */
export const importChat = (app: TestApp, owner: Owner, given: Partial<ExportedChat> = {}): Promise<string> =>
  importChatBy(callOf(app, owner), given);

/** Renders a draft on a test server. */
export const draftOf = (app: TestApp, owner: Owner, chatId: string, options?: Partial<ShareOptions>) =>
  draftBy(callOf(app, owner), chatId, options);

/** Makes a link on a test server, by default for anyone and without end. */
export async function shareChat(
  app: TestApp,
  owner: Owner,
  chatId: string,
  { options, ...publication }: Partial<Publication> & { options?: Partial<ShareOptions> } = {},
): Promise<Share> {
  return publishBy(callOf(app, owner), await draftOf(app, owner, chatId, options), publication);
}

/** Returns the token at the end of a link's address. */
export const tokenOf = ({ url }: Pick<Share, "url">): string => url?.split("/").at(-1) ?? "";

/** Requests the page of a link. `bearer`: of a reader with an account. */
export const openShared = (app: TestApp, token: string, bearer?: string): Promise<Response> =>
  app.call("GET", sharePaths.sharedPage(token), bearer === undefined ? {} : { token: bearer });

/** Lists the links of an account. */
export const sharesOf = async (app: TestApp, { token }: Owner): Promise<ShareList> =>
  shareListSchema.parse(await (await app.call("GET", sharePaths.shares, { token })).json());

/** Reads the page of a link. */
export async function readShared(app: TestApp, share: Share): Promise<SharedPageAnswer> {
  const response = await openShared(app, tokenOf(share));
  if (response.status !== 200) throw new Error(`A link answered ${response.status} ${await response.text()}`);
  return (await response.json()) as SharedPageAnswer;
}
