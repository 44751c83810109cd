import { DAY } from "#contract/limits.ts";
import {
  type Publication,
  SHARES_MAX,
  type Share,
  type ShareDraft,
  type ShareList,
  type ShareOptions,
  type ShareRules,
  shareOptionsSchema,
} from "#contract/shares/shares.ts";
import { findUser, holdUser } from "../accounts/account-store.ts";
import { findGroup } from "../accounts/membership/group-store.ts";
import { recordAudit } from "../audit/record-audit.ts";
import { type Bus, topics } from "../bus/bus.ts";
import { markChanged } from "../chats/change-store.ts";
import type { Flow } from "../concurrency/fair-queue.ts";
import type { KeyedSemaphore } from "../concurrency/keyed-semaphore.ts";
import { requireChat } from "../conversation/message-rows.ts";
import { newId } from "../database/new-id.ts";
import type { Queryable, UserRow } from "../database/schema.ts";
import type { ShareRow } from "../database/tables/share-tables.ts";
import { Failure } from "../failure.ts";
import { countStored, lockFiles } from "../files/attached-file-store.ts";
import type { SharingValues } from "../installation/effective-values.ts";
import type { InstallationSettings } from "../installation/installation-settings.ts";
import { type QuotaSettings, quotaOf, refuseOverQuota } from "../limits/quota.ts";
import type { ExportDeps } from "../transfer/export-json.ts";
import { renderSnapshot } from "./render-snapshot.ts";
import type { ShareKeys } from "./share-keys.ts";
import { audienceOf, endOf, hasExpired, isPaused, shareRulesOf } from "./share-rules.ts";
import {
  countShares,
  type DraftContent,
  deleteDrafts,
  deleteLapsedShares,
  deleteShare,
  deleteSharesOf,
  findOwnShare,
  insertDraft,
  listOwnShares,
  lockShares,
  type OwnedShare,
  publishDraft,
  readNow,
  replaceContent,
} from "./share-store.ts";

export type SharesDeps = Omit<ExportDeps, "read" | "installation"> & {
  bus: Bus;
  config: QuotaSettings;
  installation: InstallationSettings;
  rendering: KeyedSemaphore;
  keys: ShareKeys;
};

/** A snapshot to be rendered for an account. */
export type DraftRequest = {
  userId: string;
  chatId: string;
  options: ShareOptions;
  flow: Flow;
  read: ExportDeps["read"];
  signal: AbortSignal;
};

/** An account with what it may do. */
type SharingAccount = { user: UserRow; rules: ShareRules; sharing: SharingValues };

/** Drafts are removed after this time. */
const DRAFT_LIFE_MS = DAY;

/** The links of accounts to snapshots of their chats. Each query names the account. */
export class Shares {
  readonly #deps: SharesDeps;

  constructor(deps: SharesDeps) {
    this.#deps = deps;
  }

  /** Lists the links of an account, and which it may make. */
  async list(userId: string): Promise<ShareList> {
    const { database: db, installation, clock } = this.#deps;
    const sharing = await installation.readSharing(db);
    const rows = await listOwnShares(db, clock, userId);
    const living = rows.filter((share) => !hasExpired(share, sharing)).slice(0, SHARES_MAX);
    const { rules } = await this.#accountOf(db, userId);
    return { rules, shares: living.map((share) => this.#describe(share, sharing)) };
  }

  /**
   * Renders the shown branch of a chat as a draft, which replaces the former one of the account.
   * @throws Failure `not-found`, `sharing-off`, `nothing-to-share`, `share-too-large`, `quota-reached`; `unavailable` if a
   *   file was removed meanwhile; those of the render slots
   */
  async draft({ userId, chatId, options, flow, read, signal }: DraftRequest): Promise<ShareDraft> {
    const { database, rendering, clock } = this.#deps;
    const chat = await requireChat(database, userId, chatId);
    const { rules, user } = await this.#accountOf(database, userId);
    if (rules.audiences.length === 0) throw new Failure("sharing-off");
    const createdAt = clock.now();
    const request = { chat, options, author: authorOf(user), createdAt, signal };
    const content = await rendering.run(flow, () => renderSnapshot({ ...this.#deps, read }, request), signal);
    const row: ShareRow = {
      ...{ id: newId(), user_id: userId, chat_id: chatId, token_hash: null, title: chat.title, leaf: chat.leaf },
      ...{
        options: JSON.stringify(options),
        audience: null,
        group_id: null,
        created_at: createdAt,
        published_at: null,
      },
      ...{ expires_at: null, visits: 0, bytes: Buffer.byteLength(content.page) + Buffer.byteLength(content.messages) },
    };
    // Apart: a removal locks files before the account, as the insertion below does.
    await deleteDrafts(database, userId);
    await database.transaction().execute((db) => this.#insert(db, row, content));
    return toDraft(row);
  }

  async #insert(db: Queryable, row: ShareRow, content: DraftContent): Promise<void> {
    const locked = await lockFiles(db, row.user_id, content.files);
    if (locked < content.files.length) throw new Failure("unavailable");
    await insertDraft(db, row, content);
    const user = await countStored(db, row.user_id, row.bytes);
    if (!user) throw new Failure("not-found");
    refuseOverQuota(user.stored_bytes - row.bytes, row.bytes, quotaOf(user, this.#deps.config));
  }

  /**
   * Makes a draft a link, or the content of a link to the same chat.
   * @throws Failure `not-found`, `sharing-off`, `too-many-shares`; `invalid-input` for an audience or a life that the rules
   *   do not allow
   */
  async publish(userId: string, draftId: string, { audience, days, replaces }: Publication): Promise<Share> {
    const { database, bus, clock, keys } = this.#deps;
    const shareId = replaces ?? draftId;
    const share = await database.transaction().execute(async (db) => {
      // As a removal of links does, locks links before files, and these before the account.
      await lockShares(db, userId, [draftId, shareId]);
      if (replaces === undefined) await holdUser(db, userId);
      const { user, rules, sharing } = await this.#accountOf(db, userId);
      if (rules.audiences.length === 0) throw new Failure("sharing-off");
      const isTooLong = rules.daysMax !== null && (days === null || days > rules.daysMax);
      if (!rules.audiences.includes(audience) || isTooLong) throw new Failure("invalid-input");
      const draft = await this.#requireShare(db, { userId, id: draftId, isDraft: true });
      const now = await readNow(db, clock);
      const group_id = audience === "group" ? user.group_id : null;
      const expires_at = days === null ? null : now + days * DAY;
      const published = { audience, group_id, published_at: now, expires_at };
      if (replaces === undefined) {
        const { shareDaysMax } = sharing;
        if ((await countShares(db, clock, { userId, shareDaysMax })) >= SHARES_MAX)
          throw new Failure("too-many-shares");
        await publishDraft(db, draftId, { ...published, token_hash: keys.hashFor(draftId) });
      } else {
        const former = await this.#requireShare(db, { userId, id: replaces, isDraft: false });
        if (former.chat_id !== draft.chat_id) throw new Failure("not-found");
        await replaceContent(db, { share: former, draft, published });
      }
      const after = { share: shareId, audience, days };
      await recordAudit(db, { kind: "share-made", at: clock.now(), actor: userId, subject: userId, after });
      await markChanged(db, userId, draft.chat_id);
      return this.#describe(await this.#requireShare(db, { userId, id: shareId, isDraft: false }), sharing);
    });
    bus.publish(topics.account(userId));
    return share;
  }

  /** Revokes a link, or deletes a draft. @throws Failure `not-found` */
  async revoke(userId: string, id: string): Promise<void> {
    const { database, bus, clock } = this.#deps;
    await database.transaction().execute(async (db) => {
      const share = await deleteShare(db, userId, id);
      if (!share) throw new Failure("not-found");
      if (share.published_at === null) return;
      const before = { share: id };
      await recordAudit(db, { kind: "share-revoked", at: clock.now(), actor: userId, subject: userId, before });
      await markChanged(db, userId, share.chat_id);
    });
    bus.publish(topics.account(userId));
  }

  /** Revokes all links of an account. @returns their number */
  async revokeAll(userId: string): Promise<number> {
    const { database, bus, clock } = this.#deps;
    const revoked = await database
      .transaction()
      .execute((db) => revokeSharesOf(db, userId, { actor: userId, at: clock.now() }));
    if (revoked > 0) bus.publish(topics.account(userId));
    return revoked;
  }

  /** Returns a link or draft of an account. @throws Failure `not-found` */
  async require(userId: string, id: string): Promise<OwnedShare> {
    const share = await findOwnShare(this.#deps.database, this.#deps.clock, { userId, id });
    if (!share) throw new Failure("not-found");
    return share;
  }

  /** Deletes drafts that are a day old, and links that ended a day ago, also by the longest life that an owner has set. */
  async sweep(now: number): Promise<void> {
    const { database, installation } = this.#deps;
    const { shareDaysMax } = await installation.readSharing(database);
    await deleteLapsedShares(database, now - DRAFT_LIFE_MS, shareDaysMax);
  }

  /** @throws Failure `not-found` */
  async #requireShare(
    db: Queryable,
    { userId, id, isDraft }: { userId: string; id: string; isDraft: boolean },
  ): Promise<OwnedShare> {
    const share = await findOwnShare(db, this.#deps.clock, { userId, id });
    if (!share || (share.published_at === null) !== isDraft) throw new Failure("not-found");
    return share;
  }

  #describe(share: OwnedShare, sharing: SharingValues): Share {
    return {
      ...toDraft(share),
      url: this.#deps.keys.urlOf(share),
      audience: audienceOf(share, sharing),
      expiresAt: endOf(share, sharing),
      visits: share.visits,
      ...(share.group_name !== null && { group: share.group_name }),
      isPaused: isPaused(share, sharing),
    };
  }

  /** @throws Failure `not-found` */
  async #accountOf(db: Queryable, userId: string): Promise<SharingAccount> {
    const user = await findUser(db, userId);
    if (!user) throw new Failure("not-found");
    const group = user.group_id === null ? undefined : await findGroup(db, user.group_id);
    const sharing = await this.#deps.installation.readSharing(db);
    return { user, sharing, rules: shareRulesOf(sharing, { group: group?.name, mayShare: group?.may_share !== 0 }) };
  }
}

/**
 * Deletes the links and drafts of an account in a transaction, and records how many links there were.
 * @returns the number of links
 */
export async function revokeSharesOf(
  db: Queryable,
  userId: string,
  { actor, at }: { actor: string | null; at: number },
): Promise<number> {
  const chats = await deleteSharesOf(db, userId);
  if (chats.length === 0) return 0;
  await recordAudit(db, { kind: "share-revoked", at, actor, subject: userId, before: { shares: chats.length } });
  for (const chatId of new Set(chats)) await markChanged(db, userId, chatId);
  return chats.length;
}

const authorOf = ({ firstname, lastname, username }: UserRow): string =>
  [firstname, lastname].filter(Boolean).join(" ") || username;

const toDraft = ({ id, chat_id, title, options, created_at }: ShareRow): ShareDraft => ({
  ...{ id, chatId: chat_id, title, createdAt: created_at },
  options: shareOptionsSchema.parse(JSON.parse(options)),
});
