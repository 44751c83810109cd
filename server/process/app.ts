import { randomUUID } from "node:crypto";
import cookie from "@fastify/cookie";
import fastify, { type FastifyInstance, LogController } from "fastify";
import { API_BASE } from "#contract/http.ts";
import { MINUTE } from "#contract/limits.ts";
import { type Accounts, openAccounts } from "../accounts/accounts.ts";
import { accountRoutes } from "../accounts/routes.ts";
import { administrationRoutes } from "../administration/routes.ts";
import { ownBudgets } from "../budgets/budget-states.ts";
import { topics } from "../bus/bus.ts";
import { AccountEvents } from "../chats/account-events.ts";
import { Chats } from "../chats/chats.ts";
import { Folders } from "../chats/folders/folders.ts";
import { folderRoutes } from "../chats/folders/routes.ts";
import { chatRoutes } from "../chats/routes.ts";
import { storageRoutes } from "../chats/storage.ts";
import { KeyedSemaphore } from "../concurrency/keyed-semaphore.ts";
import { deriveKey } from "../config/secret-key.ts";
import { connectionRoutes } from "../connections/routes.ts";
import { Branches } from "../conversation/branches.ts";
import { Conversation } from "../conversation/conversation.ts";
import { toolApprovalRoutes } from "../conversation/reply/steps/tool-approval-routes.ts";
import { stopRepliesOf } from "../conversation/reply/stop-account-replies.ts";
import { ReplyRequests } from "../conversation/reply-requests.ts";
import { conversationRoutes } from "../conversation/routes.ts";
import { temporaryRoutes } from "../conversation/temporary/routes.ts";
import { fileRoutes } from "../files/routes.ts";
import { readModelAccess } from "../groups/read-model-access.ts";
import { groupRoutes } from "../groups/routes.ts";
import { refuseForgery } from "../http/anti-forgery.ts";
import { answerBrokenRequests, refuseOtherTargets } from "../http/broken-requests.ts";
import { rememberDevices } from "../http/client.ts";
import { healthRoutes } from "../http/health.ts";
import { limitRoutes } from "../http/limit-routes.ts";
import { describeApi, serveApiPage } from "../http/openapi.ts";
import { answerProblems } from "../http/problems.ts";
import { logRequests } from "../http/request-log.ts";
import { watchRoutes } from "../http/route-table.ts";
import { setSecurityHeaders } from "../http/security-headers.ts";
import { recogniseSessions } from "../http/session-hook.ts";
import { serveSharedDocument } from "../http/static/shared-document.ts";
import { serveWeb } from "../http/static/static-files.ts";
import { OpenStreams } from "../http/streams/open-streams.ts";
import { validateByContract } from "../http/validation.ts";
import { mcpServerRoutes } from "../mcp/administration/routes.ts";
import { deletePersonStates } from "../mcp/oauth/oauth-store.ts";
import { toolSignInRoutes } from "../mcp/oauth/routes.ts";
import { OwnServers } from "../mcp/own-servers/own-servers.ts";
import { ownServerRoutes } from "../mcp/own-servers/routes.ts";
import { modelRoutes } from "../models/routes.ts";
import { Presets } from "../presets/presets.ts";
import { presetRoutes } from "../presets/routes.ts";
import { searchRoutes } from "../search/routes.ts";
import { openSharedPages, openShares } from "../shares/open-shares.ts";
import type { SharedPages } from "../shares/shared-pages.ts";
import { toolRoutes } from "../tools/routes.ts";
import { webSearchRoutes } from "../tools/web-search/routes.ts";
import { RENDER_LIMITS } from "../transfer/html/export-html.ts";
import { transferRoutes } from "../transfer/routes.ts";
import { usageRoutes } from "../usage/routes.ts";
import type { Context } from "./context.ts";

/** Timeout for a complete request; responses have none. */
const REQUEST_TIMEOUT_MS = MINUTE;
const BODY_LIMIT_BYTES = 1024 * 1024;
const HEADER_LIMIT_BYTES = 32 * 1024;

/** `requestLevel`: level at which requests are logged, by default `info`. */
export type AppSettings = { webFolder: string; requestLevel?: "info" | "debug" };

/** Builds the application: HTTP layer first, then the features. Does not listen. */
export async function buildApp(
  context: Context,
  { webFolder, requestLevel = "info" }: AppSettings,
): Promise<FastifyInstance> {
  const { config } = context;
  const headerSettings = { publicUrl: config.publicUrl, hasGoogle: config.google !== undefined };
  const app: FastifyInstance = fastify({
    loggerInstance: context.log,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    // Only the address that the closest proxy added is trusted; clients can invent earlier ones.
    trustProxy: config.trustProxy === true ? (_address, hops) => hops === 0 : config.trustProxy,
    bodyLimit: BODY_LIMIT_BYTES,
    forceCloseConnections: true,
    requestTimeout: REQUEST_TIMEOUT_MS,
    routerOptions: { maxParamLength: HEADER_LIMIT_BYTES },
    http: { maxHeaderSize: HEADER_LIMIT_BYTES },
    ...answerBrokenRequests(headerSettings),
  });
  app.server.maxConnections = config.maxConnections;
  const refuseOtherMethods = watchRoutes(app);

  answerProblems(app);
  validateByContract(app);
  logRequests(app, requestLevel);
  context.telemetry.watchRequests(app);
  await setSecurityHeaders(app, headerSettings);
  refuseOtherTargets(app);
  await app.register(cookie);
  const accounts = openAccounts(context);
  rememberDevices(app, {
    publicUrl: config.publicUrl,
    trustedNetworks: () => context.installation.current.trustedNetworks,
  });
  recogniseSessions(app, (token, client) => accounts.sessions.authenticate(token, client), context.clock);
  const antiForgeryKey = deriveKey(context.secretKey, "anti-forgery");
  refuseForgery(app, { key: antiForgeryKey, publicUrl: config.publicUrl, clock: context.clock });
  limitRoutes(app, context.limits);
  await describeApi(app, context.installation.current.productName);

  const isDraining = () => context.replies.isDraining;
  await context.telemetry.addRoutes(app);
  healthRoutes(app, { ...context, isDraining });
  const sharedPages = openSharedPages(context);
  await app.register((api) => registerFeatures(api, { ...context, sharedPages }, accounts), { prefix: API_BASE });
  await serveApiPage(app);
  const web = { folder: webFolder, productName: () => context.installation.current.productName };
  await serveSharedDocument(app, { ...web, previewOf: (token, client) => sharedPages.previewOf(token, client) });
  await serveWeb(app, web);
  refuseOtherMethods();
  return app;
}

/** Registers features in dependency order: later ones may use earlier ones. */
async function registerFeatures(
  api: FastifyInstance,
  context: Context & { sharedPages: SharedPages },
  accounts: Accounts,
): Promise<void> {
  const { config, secrets, database, models, replies, bus, log, sweep, search, files } = context;
  await api.register(accountRoutes({ ...context, ...accounts }));
  await api.register(modelRoutes({ models, accessOf: (account) => readModelAccess(database, account) }));
  await api.register(usageRoutes({ ...context, readBudgets: (userId) => ownBudgets(context, userId) }));
  await api.register(presetRoutes(new Presets(context)));
  await api.register(searchRoutes(search));
  const streams = new OpenStreams({ bus, findLiveSessions: (ids) => accounts.sessions.findLive(ids) });
  context.telemetry.metrics?.watchStreams(streams);
  accounts.sessions.onEnded((sessionId) => {
    streams.breakOff(sessionId);
    bus.publish(topics.session(sessionId));
  });
  context.otherWriters.onWritten(() => {
    streams.revalidateAll();
    context.outbox.notify();
    accounts.deletions.removeDueSoon();
  });
  const chats = new Chats(context);
  const events = new AccountEvents({ database, bus, log, isShared: secrets.databaseUrl !== undefined });
  context.otherWriters.onWritten(() => events.readAll());
  api.addHook("preClose", async () => {
    await events[Symbol.asyncDispose]();
    await streams[Symbol.asyncDispose]();
  });
  await api.register(fileRoutes({ ...context, streams }));
  await api.register(chatRoutes({ ...context, chats, events, streams, isDraining: () => replies.isDraining }));
  await api.register(storageRoutes(context));
  await api.register(folderRoutes(new Folders(context)));
  const deps = { ...context, settings: config };
  const replyRequests = new ReplyRequests(deps);
  const branches = new Branches(deps, replyRequests);
  const conversation = new Conversation(deps);
  chats.onDeleted((chatId) => replies.findInChat(chatId)?.stop());
  accounts.deletions.onRemoving((userId) => stopRepliesOf(context, userId));
  accounts.deletions.onRemoving((userId, signal) => search.forget(userId, signal));
  api.addHook("onClose", () => accounts.deletions[Symbol.asyncDispose]());
  accounts.deletions.onRemoving((userId, signal) => files.removeAll(userId, signal));
  sweep.add("deletedAccounts", (now, signal) => accounts.deletions.removeDue(now, signal));
  // After the jobs that remove chats and accounts, whose files it deletes.
  sweep.add("files", (now, signal) => files.sweep(now, signal));
  await api.register(conversationRoutes({ ...context, branches, conversation, replyRequests, streams }));
  await api.register(temporaryRoutes({ ...context, streams, settings: config }));
  await api.register(administrationRoutes({ ...context, ...accounts, streams }));
  await api.register(groupRoutes({ ...context, sessions: accounts.sessions }));
  await api.register(connectionRoutes({ ...context, sessions: accounts.sessions }));
  await api.register(mcpServerRoutes({ ...context, sessions: accounts.sessions }));
  await api.register(toolRoutes(context));
  await api.register(toolApprovalRoutes(context));
  const ownServers = new OwnServers({ ...context, ...context.mcp });
  await api.register(ownServerRoutes(ownServers));
  await api.register(toolSignInRoutes(context.mcp));
  accounts.deletions.onRemoving((userId, signal) => context.mcp.signIns.endAll(userId, signal));
  accounts.deletions.onRemoving((userId) => ownServers.removeAll(userId));
  accounts.deletions.onRemoving((userId) => deletePersonStates(database, userId));
  await api.register(webSearchRoutes({ ...context, sessions: accounts.sessions }));
  const isDraining = () => replies.isDraining;
  const { securityLog } = accounts;
  const rendering = new KeyedSemaphore(RENDER_LIMITS);
  await api.register(transferRoutes({ ...context, securityLog, streams, isDraining, rendering }));
  const shares = await openShares(api, { ...context, pages: context.sharedPages, streams, isDraining, rendering });
  sweep.add("shares", (now) => shares.sweep(now));
}
