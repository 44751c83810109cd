import { accountPaths } from "#contract/accounts/paths.ts";
import { sessionListSchema } from "#contract/accounts/sessions.ts";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { filePaths } from "#contract/files/paths.ts";
import { defaultShareOptions } from "#contract/shares/shares.ts";
import type { ExportedMessage } from "#contract/transfer/transfer.ts";
import { insertIdentity } from "../../server/accounts/external-identity-store.ts";
import { newId } from "../../server/database/new-id.ts";
import { insertServer } from "../../server/mcp/mcp-server-store.ts";
import { ShareKeys } from "../../server/shares/share-keys.ts";
import { insertDraft } from "../../server/shares/share-store.ts";
import { insertTestProvider } from "../administration/identity-providers.ts";
import { insertTestServer } from "../administration/mcp-servers.ts";
import type { TestApp } from "../app/start-test-app.ts";
import type { RouteExpectation, RouteIds } from "../http/route-expectation.ts";
import { isAdministrative } from "../http/route-rows.ts";
import { insertTestConnection } from "./connections.ts";
import { insertTestGroup } from "./groups.ts";
import { insertUnusableInvitation } from "./invitations.ts";
import { giveRole } from "./roles.ts";
import { signUp, type TestAccount } from "./sign-up.ts";

export { giveRole } from "./roles.ts";

/** An account that owns one object of each kind that routes name by an id. */
export type Owner = TestAccount & { ids: RouteIds };

export async function newOwner(app: TestApp): Promise<Owner> {
  const account = await signUp(app);
  const { token } = account;
  const post = async <T>(path: string, body?: unknown) =>
    (await (await app.call("POST", path, { token, body })).json()) as T;
  const { id: chat } = await post<{ id: string }>(conversationPaths.chats);
  const { ai_response } = await post<{ ai_response: { id: string } }>(conversationPaths.chatSend(chat), {
    message: "Hello",
  });
  const [session] = sessionListSchema.parse(await (await app.call("GET", accountPaths.sessions, { token })).json());
  const editor = { name: "Editor", instructions: "Edit.", model: null, temperature: null };
  const { id: preset } = await post<{ id: string }>(conversationPaths.presets, editor);
  const { id: folder } = await post<{ id: string }>(conversationPaths.folders, { name: "Work" });
  const { id: deletedFolder } = await post<{ id: string }>(conversationPaths.folders, { name: "Old work" });
  await app.call("DELETE", conversationPaths.folder(deletedFolder), { token });
  const file = crypto.randomUUID();
  await app.call("PUT", filePaths.file(file), { token, body: Buffer.from("A note") });
  const { draft: shareDraft, ...shares } = await insertShares(app, account, chat);
  return {
    ...account,
    ids: {
      chat,
      reply: ai_response.id,
      session: session?.id ?? "",
      passkey: await insertPasskey(app, account),
      identity: await insertTestIdentity(app, account),
      preset,
      folder,
      deletedFolder,
      file,
      approval: await insertApproval(app, account),
      ownServer: await insertOwnServer(app, account, "my-shop", "http://127.0.0.1:9/mcp"),
      // Without https, so that it is asked for no sign-in.
      toolServer: await insertOwnServer(app, account, "my-tools", "http://tools.example.org/mcp"),
      shareDraft,
      ...shares,
      account: newId(),
      invitation: newId(),
      group: newId(),
      connection: "NONE",
      provider: "nowhere",
      mcpServer: "nowhere",
    },
  };
}

/** Stores a passkey, whose key signs nothing. @returns its id */
async function insertPasskey(app: TestApp, { user }: TestAccount): Promise<string> {
  const id = newId();
  const counted = { counter: 0, created_at: 1, last_used_at: null, restored_at: null };
  const row = { id, user_id: user.id, name: "Phone", public_key: "eA", host: "127.0.0.1", ...counted };
  await app.context.database.insertInto("passkeys").values(row).execute();
  return id;
}

/** Stores an identity of a provider that is not set up. @returns its id */
async function insertTestIdentity(app: TestApp, { user }: TestAccount): Promise<string> {
  const id = newId();
  const row = { id, issuer: "https://id.example.org", subject: id, user_id: user.id, label: "ada" };
  await insertIdentity(app.context.database, { ...row, created_at: 1, last_used_at: null, restored_at: null });
  return id;
}

/** Stores that an account has approved a tool for all its chats. @returns the id of the approval */
async function insertApproval(app: TestApp, { user }: TestAccount): Promise<string> {
  const tool = { server: "web", name: "read_page", schema_digest: "0".repeat(64) };
  const row = { id: newId(), user_id: user.id, chat_id: null, ...tool, created_at: 1 };
  await app.context.database.insertInto("tool_approvals").values(row).execute();
  return row.id;
}

/** Stores a tool server of an account, where nothing listens. @returns its id */
async function insertOwnServer(app: TestApp, { user }: TestAccount, slug: string, url: string): Promise<string> {
  const row = { id: newId(), user_id: user.id, slug, name: "Shop", url };
  const others = { headers_encrypted: null, groups: null, is_trusted: 0, is_enabled: 1, chosen_tools: null };
  await insertServer(app.context.database, { ...row, ...others, created_at: 1, updated_at: 1 });
  return row.id;
}

/** Ids of a draft and a link, and tokens of a link for anyone and of one that only its owner can open. */
type InsertedShares = { draft: string; share: string; openToken: string; closedToken: string };

const sharedMessage: ExportedMessage = {
  ...{ id: "m1", parent: null, role: "user", content: "What is a fjord?", state: "complete", model: null },
  ...{ createdAt: 1_700_000_000_000, endedAt: 1_700_000_000_000 },
};
const sharedContent = {
  page: JSON.stringify({ title: "Fjords", createdAt: 1, messages: [] }),
  messages: JSON.stringify([sharedMessage]),
};

/** Stores a draft and links of an account without rendering them. Each contains one message and one file. */
async function insertShares(
  app: TestApp,
  { token: bearer, user }: TestAccount,
  chatId: string,
): Promise<InsertedShares> {
  const { config, secretKey, database } = app.context;
  const keys = new ShareKeys({ secretKey, publicUrl: config.publicUrl });
  const file = crypto.randomUUID();
  await app.call("PUT", filePaths.file(file), { token: bearer, body: Buffer.from("An inlet") });
  const insert = async (audience: "anyone" | "group" | null) => {
    const id = newId();
    const token_hash = audience === null ? null : keys.hashFor(id);
    const published_at = audience === null ? null : 1;
    const row = { id, user_id: user.id, chat_id: chatId, token_hash, audience, group_id: null, published_at };
    const snapshot = { title: "Fjords", leaf: null, options: JSON.stringify(defaultShareOptions) };
    const counts = { created_at: Date.now(), expires_at: null, visits: 0, bytes: 0 };
    await insertDraft(database, { ...row, ...snapshot, ...counts }, { ...sharedContent, files: [file] });
    return { id, token: keys.urlOf({ id, token_hash })?.split("/").at(-1) ?? "" };
  };
  const draft = await insert(null);
  const open = await insert("anyone");
  const closed = await insert("group");
  return { draft: draft.id, share: open.id, openToken: open.token, closedToken: closed.token };
}

/** Returns a new account that may call a route: of administration with the role of an owner, and an account for it. */
export async function newOwnerFor(app: TestApp, row: Pick<RouteExpectation, "role">): Promise<Owner> {
  const owner = await newOwner(app);
  if (!isAdministrative(row)) return owner;
  await giveRole(app, owner, "owner");
  const { user } = await signUp(app);
  const invitation = await insertUnusableInvitation(app, owner);
  const group = await insertTestGroup(app);
  const connection = await insertTestConnection(app);
  const provider = await insertTestProvider(app);
  const mcpServer = await insertTestServer(app);
  const administered = { account: user.id, invitation, group, connection, provider, mcpServer };
  return { ...owner, ids: { ...owner.ids, ...administered } };
}

/** Returns ids of objects that do not exist. */
export const noIds = (): RouteIds => ({
  chat: newId(),
  session: newId(),
  passkey: newId(),
  identity: newId(),
  reply: newId(),
  preset: newId(),
  folder: newId(),
  deletedFolder: newId(),
  file: newId(),
  approval: newId(),
  ownServer: newId(),
  toolServer: newId(),
  share: newId(),
  shareDraft: newId(),
  openToken: "x".repeat(22),
  closedToken: "x".repeat(22),
  account: newId(),
  invitation: newId(),
  group: newId(),
  connection: "NONE",
  provider: "nowhere",
  mcpServer: "nowhere",
});
