import { accountPaths } from "#contract/accounts/paths.ts";
import { administrationPaths } from "#contract/administration/paths.ts";
import { SETUP_PATH } from "#contract/administration/setup.ts";
import { SITE_NOTICE_PATH } from "#contract/administration/site-notice.ts";
import { conversationPaths } from "#contract/conversation/paths.ts";
import { filePaths } from "#contract/files/paths.ts";
import { modelPaths } from "#contract/models/paths.ts";
import { transferPaths } from "#contract/transfer/paths.ts";
import { mcpRows } from "./mcp-rows.ts";
import type { RouteExpectation, RouteIds } from "./route-expectation.ts";
import { shareRows } from "./share-rows.ts";
import { ssoRows } from "./sso-rows.ts";
import { toolRows, toolSignInRows } from "./tool-rows.ts";

const open = { role: "open" } as const;
const signedIn = { role: "signed-in" } as const;
const proved = { ...signedIn, proof: true } as const;
const chat = { ...signedIn, id: "chat" } as const;
const preset = { ...signedIn, id: "preset" } as const;
const folder = { ...signedIn, id: "folder" } as const;
const file = { ...signedIn, id: "file" } as const;
const administrator = { role: "administrator" } as const;
const provedAdministrator = { ...administrator, proof: true } as const;
const owner = { role: "owner" } as const;
const provedOwner = { ...owner, proof: true } as const;
const manager = { role: "manager" } as const;
const provedManager = { ...manager, proof: true } as const;

/** A search engine at an address where nothing listens. */
const nobodysEngine = { kind: "searxng", baseUrl: "http://127.0.0.1:9" };

const credential = { id: "eA", rawId: "eA", type: "public-key" } as const;
const signed = { clientDataJSON: "eA" };

/** Well-formed keys and tokens that are not valid. */
const body = {
  key: () => ({ key: "x".repeat(43) }),
  idToken: () => ({ id_token: "a.b.c" }),
  code: () => ({ code: "123456" }),
  ticket: () => ({ ticket: "x".repeat(43), code: "123456" }),
  setUp: () => ({ ticket: "x".repeat(43), enrolment: "x".repeat(90), code: "123456" }),
  enrolment: () => ({ enrolment: "x".repeat(90), code: "123456" }),
  passkey: () => ({ passkey: { ...credential, response: { ...signed, authenticatorData: "eA", signature: "eA" } } }),
  newPasskey: () => ({ passkey: { ...credential, response: { ...signed, attestationObject: "eA" } } }),
};

/**
 * Every route of the API by its method and its path below the API's base. Tests of access, limits and documentation are
 * generated from it; a route without a row fails them.
 */
export const routeRows: Readonly<Record<string, RouteExpectation>> = {
  [`GET ${accountPaths.authConfig}`]: { ...open, status: 200 },
  [`POST ${accountPaths.login}`]: { ...open, body: ({ username, password }) => ({ username, password }), status: 200 },
  [`POST ${accountPaths.google}`]: { ...open, body: body.idToken, status: 404 },
  [`POST ${accountPaths.register}`]: {
    ...open,
    body: ({ username, email, password }) => {
      const names = { firstname: "Ada", lastname: "Lovelace" };
      return { ...names, username: `${username}x`, email: `x${email}`, password };
    },
    status: 201,
  },
  [`POST ${accountPaths.verify}`]: { ...open, body: body.key, status: 400 },
  [`POST ${accountPaths.mailedKey}`]: { ...open, body: body.key, status: 400 },
  [`POST ${accountPaths.invitation}`]: { ...open, body: body.key, status: 400 },
  [`POST ${accountPaths.classCode}`]: { ...open, body: () => ({ code: "ABCD-EFGH" }), status: 400 },
  [`POST ${accountPaths.resendVerification}`]: { ...open, body: ({ email }) => ({ email }), status: 200 },
  [`POST ${accountPaths.forgotPassword}`]: { ...open, body: ({ email }) => ({ email }), status: 200 },
  [`POST ${accountPaths.resetPassword}`]: {
    ...open,
    body: ({ password }) => ({ ...body.key(), password }),
    status: 400,
  },
  [`POST ${accountPaths.confirmEmail}`]: { ...open, body: body.key, status: 400 },
  [`POST ${accountPaths.undoEmail}`]: { ...open, body: body.key, status: 400 },
  [`GET ${accountPaths.account}`]: { ...signedIn, status: 200 },
  [`GET ${accountPaths.me}`]: { ...signedIn, status: 200 },
  [`PATCH ${accountPaths.me}`]: { ...signedIn, body: () => ({ firstname: "Augusta", lastname: "King" }), status: 200 },
  [`PATCH ${accountPaths.preferences}`]: { ...signedIn, body: () => ({ theme: "dark", language: "de" }), status: 200 },
  [`POST ${accountPaths.logout}`]: { ...signedIn, status: 204 },
  [`POST ${accountPaths.proof}`]: { ...signedIn, body: ({ password }) => ({ password }), status: 200 },
  [`POST ${accountPaths.secondStep}`]: { ...open, body: body.ticket, status: 403 },
  [`POST ${accountPaths.secondStepEnrolment}`]: { ...open, body: body.ticket, status: 403 },
  [`POST ${accountPaths.secondStepSetUp}`]: { ...open, body: body.setUp, status: 403 },
  [`POST ${accountPaths.secondStepLoss}`]: { ...open, body: body.ticket, status: 403 },
  [`POST ${accountPaths.secondFactorLoss}`]: { ...open, body: body.key, status: 400 },
  [`POST ${accountPaths.secondFactorKeep}`]: { ...open, body: body.key, status: 400 },
  [`DELETE ${accountPaths.secondFactorLoss}`]: { ...signedIn, status: 204 },
  [`POST ${accountPaths.totpEnrolment}`]: { ...proved, status: 200 },
  [`POST ${accountPaths.secondFactor}`]: { ...proved, body: body.enrolment, status: 400 },
  [`POST ${accountPaths.secondFactorRemoval}`]: { ...proved, body: body.code, status: 409 },
  [`POST ${accountPaths.recoveryCodes}`]: { ...proved, body: body.code, status: 409 },
  [`DELETE ${accountPaths.rememberedBrowsers}`]: { ...proved, status: 204 },
  [`POST ${accountPaths.passkeyChallenge}`]: { ...open, status: 409 },
  [`POST ${accountPaths.passkeySignIn}`]: { ...open, body: body.passkey, status: 409 },
  [`POST ${accountPaths.passkeyCreation}`]: { ...proved, body: () => ({}), status: 409 },
  [`POST ${accountPaths.passkeys}`]: { ...proved, body: body.newPasskey, status: 409 },
  [`GET ${accountPaths.passkeys}`]: { ...signedIn, status: 200 },
  [`PATCH ${accountPaths.passkey(":id")}`]: {
    ...signedIn,
    id: "passkey",
    body: () => ({ name: "A key" }),
    status: 204,
  },
  [`DELETE ${accountPaths.passkey(":id")}`]: { ...proved, id: "passkey", status: 204 },
  ...mcpRows,
  ...ssoRows,
  [`GET ${accountPaths.sessions}`]: { ...signedIn, status: 200 },
  [`DELETE ${accountPaths.sessions}`]: { ...proved, status: 204 },
  [`DELETE ${accountPaths.session(":id")}`]: { ...proved, id: "session", status: 204 },
  [`GET ${accountPaths.securityLog}`]: { ...signedIn, status: 200 },
  [`GET ${administrationPaths.ownAudit}`]: { ...signedIn, status: 200 },
  [`POST ${administrationPaths.ownership}`]: { ...proved, body: body.key, status: 400 },
  [`DELETE ${accountPaths.email}`]: { ...signedIn, status: 204 },
  [`POST ${accountPaths.email}`]: { ...proved, body: ({ email }) => ({ email: `new${email}` }), status: 200 },
  [`POST ${accountPaths.username}`]: {
    ...proved,
    body: ({ username }) => ({ username: `${username}new` }),
    status: 200,
  },
  [`POST ${accountPaths.password}`]: {
    ...proved,
    body: ({ password }) => ({ currentPassword: password, password: `${password} new` }),
    status: 204,
  },
  [`POST ${accountPaths.accountDeletion}`]: { ...proved, body: () => ({ isImmediate: true }), status: 200 },
  [`POST ${accountPaths.googleConnection}`]: { ...proved, body: body.idToken, status: 404 },
  [`DELETE ${accountPaths.googleConnection}`]: { ...proved, status: 204 },
  [`GET ${modelPaths.models}`]: { ...signedIn, status: 200 },
  [`GET ${conversationPaths.instructions}`]: { ...signedIn, status: 200 },
  [`PUT ${conversationPaths.instructions}`]: { ...signedIn, body: () => ({ instructions: "Be brief." }), status: 200 },
  [`GET ${conversationPaths.presets}`]: { ...signedIn, status: 200 },
  [`POST ${conversationPaths.presets}`]: {
    ...signedIn,
    body: () => ({ name: "Translator", instructions: "Translate.", model: null, temperature: 0.2 }),
    status: 201,
  },
  [`PATCH ${conversationPaths.preset(":id")}`]: {
    ...preset,
    body: () => ({ name: "Proofreader", position: 0 }),
    status: 200,
  },
  [`DELETE ${conversationPaths.preset(":id")}`]: { ...preset, status: 204 },
  [`POST ${conversationPaths.presetRestoration(":id")}`]: { ...preset, status: 200 },
  [`GET ${filePaths.file(":id")}`]: { ...file, status: 200 },
  [`PUT ${filePaths.file(":id")}`]: { ...signedIn, isUpload: true, body: () => Buffer.from("A note"), status: 200 },
  [`GET ${filePaths.fileText(":id")}`]: { ...file, status: 200 },
  [`DELETE ${filePaths.file(":id")}`]: { ...file, status: 204 },
  ...toolRows,
  ...shareRows,
  ...toolSignInRows,
  [`GET ${conversationPaths.events}`]: { ...signedIn, status: 200, isStream: true },
  [`GET ${conversationPaths.search}`]: { ...signedIn, query: () => "?q=hello", status: 200 },
  [`GET ${conversationPaths.chatHistory}`]: { ...signedIn, status: 200 },
  [`POST ${conversationPaths.chats}`]: { ...signedIn, status: 201 },
  [`GET ${conversationPaths.chat(":id")}`]: { ...chat, status: 200 },
  [`PATCH ${conversationPaths.chat(":id")}`]: { ...chat, body: () => ({ isUnread: false }), status: 204 },
  [`DELETE ${conversationPaths.chat(":id")}`]: { ...chat, status: 204 },
  [`GET ${conversationPaths.chatTree(":id")}`]: { ...chat, status: 200 },
  [`POST ${conversationPaths.chatBranch(":id")}`]: {
    ...chat,
    body: (_, { reply }) => ({ message: reply }),
    status: 200,
  },
  [`POST ${conversationPaths.chatBatch}`]: {
    ...signedIn,
    body: () => ({ ids: ["x"], change: { isPinned: true } }),
    status: 200,
  },
  [`GET ${conversationPaths.folders}`]: { ...signedIn, status: 200 },
  [`POST ${conversationPaths.folders}`]: { ...signedIn, body: () => ({ name: "Travels" }), status: 201 },
  [`PATCH ${conversationPaths.folder(":id")}`]: {
    ...folder,
    body: () => ({ name: "Journeys", position: 0 }),
    status: 204,
  },
  [`DELETE ${conversationPaths.folder(":id")}`]: { ...folder, status: 204 },
  [`POST ${conversationPaths.folderRestore(":id")}`]: { ...signedIn, id: "deletedFolder", status: 204 },
  [`POST ${conversationPaths.chatMessage(":id")}`]: {
    ...chat,
    body: () => ({ role: "user", content: "Noted" }),
    status: 201,
  },
  [`POST ${conversationPaths.chatSend(":id")}`]: { ...chat, body: () => ({ message: "Hello" }), status: 200 },
  [`GET ${conversationPaths.chatReply(":id")}`]: {
    ...chat,
    query: ({ reply }) => `?reply=${reply}`,
    status: 200,
    isStream: true,
  },
  [`POST ${conversationPaths.chatReply(":id")}`]: {
    ...chat,
    body: () => ({ mode: "regenerate" }),
    status: 200,
    isStream: true,
  },
  // The reply has ended, and waits for no decision.
  [`POST ${conversationPaths.chatDecision(":id")}`]: {
    ...chat,
    body: (_person, { reply }) => ({ reply, decisions: [{ seq: 0, digest: "0", answer: "once" }] }),
    status: 409,
  },
  [`POST ${conversationPaths.chatStop(":id")}`]: { ...chat, status: 204 },
  [`GET ${modelPaths.messageUsage(":id", ":messageId")}`]: { ...chat, status: 200 },
  [`GET ${modelPaths.usage}`]: { ...signedIn, status: 200 },
  [`GET ${filePaths.storage}`]: { ...signedIn, status: 200 },
  [`GET ${transferPaths.chatExport(":id")}`]: { ...chat, query: () => "?format=markdown", status: 200 },
  [`GET ${transferPaths.export}`]: { ...proved, status: 200 },
  [`POST ${transferPaths.import}`]: {
    ...signedIn,
    body: () => ({ format: "parley-export", version: 1, chats: [] }),
    status: 200,
  },
  [`POST ${conversationPaths.temporaryReply}`]: {
    ...signedIn,
    body: () => ({ messages: [{ role: "user", content: "Hello" }] }),
    status: 200,
    isStream: true,
  },
  [`GET ${administrationPaths.overview}`]: { ...administrator, status: 200 },
  [`POST ${administrationPaths.providerCheck(":name")}`]: {
    ...provedAdministrator,
    body: () => ({ model: "GPT:gpt-5-mini" }),
    // The server of these tests has no provider.
    status: 400,
  },
  [`GET ${administrationPaths.accounts}`]: { ...manager, query: () => "?sort=name&state=active", status: 200 },
  [`GET ${administrationPaths.accountsCsv}`]: { ...provedManager, status: 200 },
  [`POST ${administrationPaths.accountActions}`]: {
    ...provedManager,
    body: (_, { account }) => ({ ids: [account], action: "disable" }),
    status: 200,
  },
  [`GET ${administrationPaths.account(":id")}`]: { ...manager, id: "account", status: 200 },
  [`PATCH ${administrationPaths.account(":id")}`]: {
    ...provedAdministrator,
    id: "account",
    body: () => ({ role: "manager", quotaMb: 5 }),
    status: 200,
  },
  [`POST ${administrationPaths.ownershipOffer(":id")}`]: {
    ...provedOwner,
    id: "account",
    body: () => ({ staysOwner: true }),
    status: 201,
  },
  [`DELETE ${administrationPaths.ownershipOffer(":id")}`]: { ...provedOwner, id: "account", status: 204 },
  [`GET ${administrationPaths.settings}`]: { ...administrator, status: 200 },
  [`PATCH ${administrationPaths.settings}`]: { ...provedOwner, body: () => ({ dailyReplies: 100_000 }), status: 200 },
  [`GET ${SITE_NOTICE_PATH}`]: { ...signedIn, status: 200 },
  [`PUT ${administrationPaths.changedNotice}`]: {
    ...provedAdministrator,
    body: () => ({ text: "Back at nine." }),
    status: 200,
  },
  [`DELETE ${administrationPaths.changedNotice}`]: { ...provedAdministrator, status: 204 },
  [`GET ${SETUP_PATH}`]: { ...owner, status: 200 },
  [`PATCH ${SETUP_PATH}`]: { ...owner, body: () => ({ skipped: ["mail"] }), status: 200 },
  [`POST ${administrationPaths.testMail}`]: { ...provedOwner, status: 200 },
  [`GET ${administrationPaths.groups}`]: { ...manager, status: 200 },
  [`POST ${administrationPaths.groups}`]: {
    ...provedAdministrator,
    body: () => ({ name: `Class ${crypto.randomUUID()}`, models: ["GPT:gpt-5-mini"], budget: 20 }),
    status: 201,
  },
  [`PATCH ${administrationPaths.group(":id")}`]: {
    ...provedAdministrator,
    id: "group",
    body: () => ({ name: `Class ${crypto.randomUUID()}`, quotaMb: 50 }),
    status: 200,
  },
  [`DELETE ${administrationPaths.group(":id")}`]: { ...provedAdministrator, id: "group", status: 200 },
  [`GET ${administrationPaths.connections}`]: { ...owner, status: 200 },
  [`POST ${administrationPaths.connections}`]: {
    ...provedOwner,
    body: () => ({ kind: "openai", name: "Nobody", baseUrl: "http://127.0.0.1:9/v1", isEnabled: false }),
    status: 201,
  },
  [`PUT ${administrationPaths.connectionOrder}`]: { ...provedOwner, body: () => ({ slugs: [] }), status: 204 },
  [`PUT ${administrationPaths.automaticModels}`]: { ...provedOwner, body: () => ({ values: null }), status: 204 },
  [`PATCH ${administrationPaths.connection(":id")}`]: {
    ...provedOwner,
    id: "connection",
    body: () => ({ name: "Somebody", isEnabled: false }),
    status: 200,
  },
  [`DELETE ${administrationPaths.connection(":id")}`]: { ...provedOwner, id: "connection", status: 204 },
  [`GET ${administrationPaths.connectionUses(":id")}`]: { ...owner, id: "connection", status: 200 },
  [`GET ${administrationPaths.connectionModels(":id")}`]: { ...owner, id: "connection", status: 200 },
  [`PATCH ${administrationPaths.connectionModels(":id")}`]: {
    ...provedOwner,
    id: "connection",
    body: () => ({ changes: [{ name: "m", overrides: { contextTokens: 8192 } }] }),
    status: 200,
  },
  [`POST ${administrationPaths.connectionList(":id")}`]: { ...provedOwner, id: "connection", status: 200 },
  [`GET ${administrationPaths.webSearch}`]: { ...owner, status: 200 },
  [`PUT ${administrationPaths.webSearch}`]: { ...provedOwner, body: () => nobodysEngine, status: 200 },
  [`POST ${administrationPaths.webSearchCheck}`]: {
    ...provedOwner,
    body: () => ({ engine: nobodysEngine }),
    status: 200,
  },
  [`DELETE ${administrationPaths.webSearch}`]: { ...provedOwner, status: 204 },
  [`GET ${administrationPaths.audit}`]: { ...administrator, query: () => "?kind=role-changed", status: 200 },
  [`GET ${administrationPaths.auditCsv}`]: { ...provedAdministrator, status: 200 },
  [`GET ${administrationPaths.invitations}`]: { ...manager, status: 200 },
  [`POST ${administrationPaths.invitations}`]: {
    ...provedManager,
    body: () => ({ uses: 20, role: "manager", note: "The choir" }),
    status: 201,
  },
  [`POST ${administrationPaths.bulkInvitations}`]: {
    ...provedManager,
    body: ({ email }) => ({
      lines: [{ address: `x${email}`, note: "The choir" }, { address: "nobody" }],
      role: "manager",
    }),
    status: 200,
  },
  [`DELETE ${administrationPaths.invitation(":id")}`]: { ...provedManager, id: "invitation", status: 204 },
};

/** Returns whether the route needs a role that no account has by itself. */
export function isAdministrative({ role }: Pick<RouteExpectation, "role">): boolean {
  return role !== "open" && role !== "signed-in";
}

/** Returns the path of a route for these objects, without its query. */
export function pathFor({ id, isUpload }: RouteExpectation, path: string, ids: RouteIds): string {
  const named = isUpload ? crypto.randomUUID() : id ? ids[id] : "";
  const token = { ":token": named || ids.openToken, ":position": "0" };
  const others = { ":messageId": ids.reply, ":name": "openai", ":provider": "oidc", ...token };
  return Object.entries(others).reduce((text, [name, value]) => text.replace(name, value), path.replace(":id", named));
}

/** Splits the name of a row into method and path (with `:id`). */
export function routeOf(name: string): { method: string; path: string } {
  const [method = "", path = ""] = name.split(" ");
  return { method, path };
}
