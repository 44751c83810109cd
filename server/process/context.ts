import { resolve } from "node:path";
import { openAccountLetters } from "../accounts/accounts.ts";
import { openTotpSecrets } from "../accounts/second-factor/totp-secrets.ts";
import { openProviderSecrets } from "../accounts/sso/provider-secrets.ts";
import { warnOfOtherHosts } from "../accounts/webauthn/warn-of-other-hosts.ts";
import { Budgets, type BudgetsDeps } from "../budgets/budgets.ts";
import { Settlements } from "../budgets/settlements.ts";
import type { Bus } from "../bus/bus.ts";
import { openBus } from "../bus/open-bus.ts";
import type { Clock } from "../concurrency/clock.ts";
import { HeavyReads } from "../concurrency/heavy-reads.ts";
import type { Config } from "../config/config.ts";
import { loadProcessId } from "../config/data-folder.ts";
import { type FreeSpace, freeSpaceOf } from "../config/disk-space.ts";
import { SecretCipher } from "../config/secret-cipher.ts";
import { loadSecretKey, warnOfKeyFile } from "../config/secret-key.ts";
import type { Secrets } from "../config/secrets.ts";
import type { Connections } from "../connections/connections.ts";
import { CallLimit } from "../conversation/admission/call-limit.ts";
import { Ownership } from "../conversation/reply/ownership.ts";
import { ProcessLeases, type ProcessLeasesDeps } from "../conversation/reply/process-leases.ts";
import { RemoteReplies } from "../conversation/reply/remote-replies.ts";
import { Replies } from "../conversation/reply/replies.ts";
import { TemporaryReplies } from "../conversation/temporary/temporary-replies.ts";
import { Titles } from "../conversation/titles.ts";
import { openDatabase, openReserved } from "../database/open.ts";
import type { Database } from "../database/schema.ts";
import { OtherWriters } from "../database/sqlite/other-writers.ts";
import { AnswerFiles } from "../files/answer-files.ts";
import { AttachmentReader } from "../files/attachment-reader.ts";
import { DocumentReader } from "../files/documents/read-document.ts";
import { Files } from "../files/files.ts";
import { refuseOtherStore } from "../files/refuse-other-store.ts";
import { openStores, storesSettingsOf } from "../files/stores/open-stores.ts";
import { Uploads } from "../files/uploads.ts";
import { warnOfOpenRegistration } from "../installation/effective-values.ts";
import { InstallationSettings } from "../installation/installation-settings.ts";
import type { Limits } from "../limits/limits.ts";
import { openLimits } from "../limits/open-limits.ts";
import type { Log } from "../log.ts";
import { MailFiles } from "../mail/mail-files.ts";
import { Outbox } from "../mail/outbox.ts";
import { senderOf } from "../mail/sender.ts";
import { openTransport } from "../mail/transport.ts";
import { openSignInSecrets } from "../mcp/oauth/sign-in-secrets.ts";
import { openServerSecrets } from "../mcp/server-secrets.ts";
import type { Pause } from "../models/demo-assistant.ts";
import type { Models } from "../models/open-models.ts";
import { Outbound } from "../outbound/outbound.ts";
import { Search } from "../search/search.ts";
import { Telemetry } from "../telemetry/telemetry.ts";
import type { Toolbox } from "../tools/toolbox.ts";
import type { WebSearch } from "../tools/web-search/web-search.ts";
import { openConnectedModels } from "./connected-models.ts";
import { openLog } from "./open-log.ts";
import type { Mcp } from "./open-mcp.ts";
import { openSweep } from "./open-sweep.ts";
import { openToolbox, type ToolOverrides } from "./open-toolbox.ts";
import type { Sweep } from "./sweep.ts";

/** Dependencies of the application, opened once and disposed together. */
export interface Context extends AsyncDisposable {
  readonly config: Config;
  readonly secrets: Secrets;
  readonly secretKey: string;
  readonly log: Log;
  readonly clock: Clock;
  readonly outbound: Outbound;
  readonly database: Database;
  readonly freeSpace: FreeSpace;
  readonly otherWriters: OtherWriters;
  readonly bus: Bus;
  readonly installation: InstallationSettings;
  readonly limits: Limits;
  readonly budgets: Budgets;
  readonly settlements: Settlements;
  readonly leases: ProcessLeases;
  readonly outbox: Outbox;
  readonly sweep: Sweep;
  readonly models: Models;
  readonly cipher: SecretCipher;
  readonly connections: Connections;
  readonly webSearch: WebSearch;
  readonly files: Files;
  readonly uploads: Uploads;
  readonly attachmentReader: AttachmentReader;
  readonly answerFiles: AnswerFiles;
  readonly search: Search;
  readonly toolbox: Toolbox;
  readonly mcp: Mcp;
  readonly callLimit: CallLimit;
  readonly heavyReads: HeavyReads;
  readonly titles: Titles;
  readonly ownership: Ownership;
  readonly remoteReplies: RemoteReplies;
  readonly replies: Replies;
  readonly temporaryReplies: TemporaryReplies;
  readonly telemetry: Telemetry;
}

/** Replacements for tests and for the terminal. */
export type Overrides = ToolOverrides & {
  log?: Log;
  clock?: Clock;
  freeSpace?: FreeSpace;
  demoPause?: Pause;
  maxUnstoredChars?: number;
  /** Leaves out connections whose stored keys the secret key does not open, instead of refusing to start. */
  acceptsNewSecret?: boolean;
  /** Prints a paragraph on the console: links of mails if no mail server is configured. */
  print?: (paragraph: string) => void;
};

/** Opens all dependencies of the application. The data folder must exist. */
export async function openContext(config: Config, secrets: Secrets, overrides: Overrides = {}): Promise<Context> {
  const log = overrides.log ?? openLog(config);
  const clock = overrides.clock ?? { now: () => Date.now() };
  const secretKey = await openSecretKey(config, secrets, log);
  await using opened = new AsyncDisposableStack();
  const base = { config, secrets, secretKey, log, clock, outbound: new Outbound(secrets.proxies) };
  const telemetry = opened.use(await Telemetry.open(base));
  const database = await openWatchedDatabase(opened, { config, secrets, log, telemetry });
  const otherWriters = opened.use(new OtherWriters(database));
  const bus = opened.use(await openBus(secrets, secretKey, log));
  const isShared = secrets.databaseUrl !== undefined;
  const installation = opened.use(await openInstallation({ config, secrets, database, otherWriters, bus, log }));
  const { maxUnstoredChars, freeSpace = freeSpaceOf(config.dataDir), print } = overrides;
  const outbox = opened.use(openOutbox({ config, secrets, secretKey, database, installation, clock, log, print }));
  const cipher = new SecretCipher(secretKey, secrets.secretKeyPrevious);
  const { models, connections } = await openConnectedModels(
    opened,
    { ...base, installation, telemetry, cipher, database, otherWriters, bus },
    overrides,
  );
  await openAccountSecrets({ database, cipher, log }, overrides);
  await warnOfOtherHosts({ database, config, log });
  const reserved = await openReservedFor(opened, { database, secrets, telemetry });
  const search = opened.use(new Search({ database, dataDir: config.dataDir, isShared }));
  const limits = openLimits({ config, secretKey, database, clock });
  const attachments = await openAttachments(opened, { config, secrets, database, clock, log, freeSpace, limits });
  const shared = { database, reserved, clock, log, processId: await loadProcessId(config.dataDir), isShared };
  const accounting = await openAccounting(opened, { ...shared, monthlyBudget: config.monthlyBudget });
  const { budgets } = accounting;
  const tools = await openToolbox(
    opened,
    { ...base, cipher, database, otherWriters, bus, isShared, search, installation },
    overrides,
  );
  const callLimit = new CallLimit({ limits, installation, ...accounting });
  const { toolbox } = tools;
  const answeringDeps = { ...shared, ...accounting, bus, installation, ...attachments, models, toolbox, callLimit };
  const answering = await openAnswering(opened, { ...answeringDeps, config, telemetry, maxUnstoredChars });
  const sweep = opened.use(openSweep({ config, database, bus, budgets, outbox, clock, log }));
  await telemetry.serve({ outbox, replies: answering.replies, ...(secrets.redisUrl && { redis: bus }) });
  const resources = opened.move();
  return {
    ...base,
    database,
    freeSpace,
    otherWriters,
    bus,
    installation,
    limits,
    ...accounting,
    outbox,
    sweep,
    models,
    cipher,
    connections,
    ...attachments,
    search,
    ...tools,
    callLimit,
    heavyReads: resources.use(new HeavyReads()),
    ...answering,
    telemetry,
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

type DatabaseDeps = Pick<Context, "config" | "secrets" | "log" | "telemetry">;

async function openWatchedDatabase(
  opened: AsyncDisposableStack,
  { config, secrets, log, telemetry }: DatabaseDeps,
): Promise<Database> {
  const database = await openDatabase({
    dataDir: config.dataDir,
    ...(secrets.databaseUrl && { postgresUrl: secrets.databaseUrl }),
    watch: telemetry.database,
    warn: (sentence) => log.warn(sentence),
  });
  return opened.adopt(database, (db) => db.destroy());
}

/** Returns connections that requests cannot occupy; on SQLite the one connection. */
async function openReservedFor(
  opened: AsyncDisposableStack,
  { database, secrets, telemetry }: Pick<Context, "database" | "secrets" | "telemetry">,
): Promise<Database> {
  if (!secrets.databaseUrl) return database;
  return opened.adopt(await openReserved(secrets.databaseUrl, telemetry.database), (db) => db.destroy());
}

/** Checks the secrets that accounts have stored. @throws ConfigError */
async function openAccountSecrets(
  deps: Pick<Context, "database" | "cipher" | "log">,
  overrides: Overrides,
): Promise<void> {
  await openTotpSecrets(deps, overrides);
  await openProviderSecrets(deps, overrides);
  await openServerSecrets(deps, overrides);
  await openSignInSecrets(deps);
}

type AccountingDeps = ProcessLeasesDeps & Omit<BudgetsDeps, "deathJudge">;

async function openAccounting(opened: AsyncDisposableStack, deps: AccountingDeps) {
  const leases = opened.use(await ProcessLeases.open(deps));
  const settlements = opened.use(new Settlements(deps));
  return { leases, budgets: new Budgets({ ...deps, deathJudge: leases }), settlements };
}

type AnsweringDeps = Pick<
  Context,
  | "config"
  | "database"
  | "clock"
  | "log"
  | "bus"
  | "installation"
  | "files"
  | "answerFiles"
  | "models"
  | "telemetry"
  | "toolbox"
  | "callLimit"
> &
  Pick<Context, "leases" | "budgets" | "settlements"> & {
    reserved: Database;
    processId: string;
    isShared: boolean;
    maxUnstoredChars: number | undefined;
  };

/** Opens all that produces replies, and takes over those of processes that have died. */
async function openAnswering(opened: AsyncDisposableStack, deps: AnsweringDeps) {
  const { config, database, reserved, clock, log, bus, isShared, installation, budgets, settlements, models } = deps;
  const { answerFiles, toolbox, callLimit } = deps;
  const ownership = opened.use(await Ownership.open(deps));
  await budgets.bookLeft();
  const remoteReplies = opened.use(new RemoteReplies({ database, bus, log }));
  const titles = opened.use(new Titles({ database, clock, bus, log, settlements }));
  const writing = { settlements, ...replySettings(config, deps.maxUnstoredChars), ...deps.telemetry.production };
  const replies = opened.use(new Replies({ database, reserved, clock, log, bus, isShared, answerFiles, ...writing }));
  const temporaryReplies = opened.use(
    new TemporaryReplies({
      database,
      installation,
      budgets,
      clock,
      log,
      models,
      toolbox,
      callLimit,
      settings: config,
      ...writing,
    }),
  );
  ownership.watch((id, run) => replies.isWriting(id, run));
  return { titles, ownership, remoteReplies, replies, temporaryReplies };
}

type InstallationDeps = Pick<Context, "config" | "secrets" | "database" | "otherWriters" | "bus" | "log">;

async function openInstallation({ otherWriters, ...deps }: InstallationDeps): Promise<InstallationSettings> {
  const { config, secrets, log } = deps;
  const installation = await InstallationSettings.open({ ...deps, isShared: secrets.databaseUrl !== undefined });
  otherWriters.onWritten(() => void installation.reload());
  const warning = warnOfOpenRegistration({ isReachable: config.isReachable, secrets }, installation.current);
  if (warning !== null) log.warn(warning);
  return installation;
}

type AttachmentDeps = Pick<Context, "config" | "secrets" | "database" | "clock" | "log" | "freeSpace" | "limits">;

async function openAttachments(opened: AsyncDisposableStack, deps: AttachmentDeps) {
  const { config, database, clock, log, freeSpace, limits } = deps;
  const stores = opened.use(await openStores({ database, ...storesSettingsOf(deps) }));
  await refuseOtherStore({ database, log, ...stores });
  const documents = opened.use(new DocumentReader());
  const attachmentReader = opened.use(new AttachmentReader({ documents, limits }));
  const floor = { freeSpace, config };
  const uploads = new Uploads({ database, clock, ...stores, reader: attachmentReader, floor, settings: config });
  const storing = { database, clock, log, files: stores.files, floor, settings: config };
  const answerFiles = new AnswerFiles({ ...storing, reader: attachmentReader });
  return { attachmentReader, uploads, answerFiles, files: new Files({ database, log, ...stores }) };
}

async function openSecretKey(config: Config, secrets: Secrets, log: Log): Promise<string> {
  const secretKey = await loadSecretKey(config.dataDir, secrets.secretKey);
  for (const warning of await warnOfKeyFile(config, secrets)) log.warn(warning);
  return secretKey;
}

type OutboxDeps = Pick<Context, "config" | "secrets" | "secretKey" | "database" | "installation" | "clock" | "log"> & {
  print: Overrides["print"];
};

function openOutbox(deps: OutboxDeps) {
  const { config, secrets, secretKey, database, installation, clock, log, print = () => undefined } = deps;
  const { publicUrl, dataDir } = config;
  const smtp = secrets.smtpUrl ? { smtpUrl: secrets.smtpUrl } : {};
  const sender = () => senderOf(config, installation.current);
  const transport = openTransport({ sender, publicUrl, dataDir, clock, print, ...smtp });
  const compose = openAccountLetters(config, { secretKey, installation });
  return new Outbox({ database, clock, log, transport, compose });
}

export { missingOwner } from "../accounts/roles/missing-owner.ts";
export { openLog } from "./open-log.ts";

/** Returns the sentence for the console if no mail server is set, else null. */
export function missingMailServer({ hasMailServer, dataDir }: Config): string | null {
  if (hasMailServer) return null;
  const { folder } = new MailFiles(resolve(dataDir));
  return `No mail server is set: mails go to ${folder}, and their links appear here; set SMTP_URL to send them.`;
}

/** Returns the sentence for the console if no model is configured and the demo assistant answers, else null. */
export function missingModel({ models }: Pick<Context, "models">): string | null {
  if (models.health().length > 0) return null;
  return "No model is connected: the built-in demo assistant answers; connect one in the administration, or set OPENAI_API_KEY, ANTHROPIC_API_KEY or LOCAL_BASE_URL.";
}

function replySettings(config: Config, maxUnstoredChars?: number) {
  const limits = { firstTextMs: config.replyFirstTextMs, idleMs: config.replyIdleMs, maxMs: config.replyMaxMs };
  const bound = maxUnstoredChars === undefined ? {} : { maxUnstoredChars };
  return { limits, graceMs: config.shutdownGraceMs, ...bound };
}
