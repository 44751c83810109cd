import {
  type CreatedOwnershipOffer,
  type NewOwnershipOffer,
  OWNERSHIP_OFFER_LIFE_MS,
  type OwnershipOffer,
} from "#contract/accounts/ownership.ts";
import { holdAdministration, recordAudit } from "../../audit/record-audit.ts";
import { newId } from "../../database/new-id.ts";
import type { Queryable, UserRow } from "../../database/schema.ts";
import { Failure } from "../../failure.ts";
import { templates } from "../account-letters.ts";
import { findUser, holdUser, isActive } from "../account-store.ts";
import type { AccountContext } from "../accounts.ts";
import { hashMailedKey } from "../mailed-keys/mailed-keys.ts";
import { type Change, type Changer, changeAs, commitChange } from "../trust/change-as.ts";
import { admitAdministrator } from "./admit-administrator.ts";
import { giveRole } from "./give-role.ts";
import { keepOwner } from "./owners.ts";
import { ownershipKeyOf, ownershipLink } from "./ownership-keys.ts";
import {
  findOfferByKey,
  findOpenOffer,
  type NamedOffer,
  removeOfferTo,
  replaceOffer,
} from "./ownership-offer-store.ts";

/**
 * Offers ownership to an account, in place of an earlier offer, and mails the link. The answer contains the link; later
 * answers do not.
 * @param ownerId the offering account
 * @throws Failure `not-permitted` if that account is no owner, or if the other one cannot become one; `not-found`;
 *   `too-many-requests`
 */
export async function offerOwnership(
  accounts: AccountContext,
  userId: string,
  { staysOwner, ownerId }: NewOwnershipOffer & { ownerId: string },
): Promise<CreatedOwnershipOffer> {
  const { clock, config, limits, outbox, ownershipSecret } = accounts;
  await limits.take("invitation-mail", ownerId);
  const [id, at] = [newId(), clock.now()];
  const key = ownershipKeyOf(ownershipSecret, id);
  const expiresAt = at + OWNERSHIP_OFFER_LIFE_MS;
  const ids = { id, user_id: userId, offered_by: ownerId };
  const row = { ...ids, key_hash: hashMailedKey(key), stays_owner: staysOwner ? 1 : 0 };
  const offer = await commitChange(accounts, async (change) => {
    const { db } = change;
    if (!canAccept(await holdFor(change, userId, { ownerId, at }))) throw new Failure("not-permitted");
    await replaceOffer(db, { ...row, created_at: at, expires_at: expiresAt });
    await recordAudit(db, {
      ...{ kind: "ownership-offered", at, actor: ownerId, subject: userId },
      after: { staysOwner, expiresAt },
    });
    await outbox.enqueue(db, { template: templates.ownershipOffer, userId, params: { offerId: id } });
    return readOffer(accounts, userId, db);
  });
  if (!offer) throw new Error("A new offer is not open");
  return { offer, link: ownershipLink(config.publicUrl, key) };
}

/** Withdraws the offer to an account. Idempotent. @throws Failure `not-permitted`, `not-found` */
export async function withdrawOwnership(accounts: AccountContext, userId: string, ownerId: string): Promise<void> {
  const at = accounts.clock.now();
  await commitChange(accounts, async (change) => {
    await holdFor(change, userId, { ownerId, at });
    const removed = await removeOfferTo(change.db, userId);
    if (!removed || removed.expires_at <= at) return;
    await recordAudit(change.db, { kind: "ownership-offer-withdrawn", at, actor: ownerId, subject: userId });
  });
}

/** Locks an account for the act of an owner. @throws Failure `not-found`, `not-permitted` */
async function holdFor(
  { db }: Change,
  userId: string,
  { ownerId, at }: { ownerId: string; at: number },
): Promise<UserRow> {
  const user = await holdUser(db, userId);
  if (!user) throw new Failure("not-found");
  await admitAdministrator(db, { actor: ownerId, now: at }, user, "offer-ownership");
  return user;
}

/**
 * Accepts an offer: the signed-in account becomes an owner, and the offering one an administrator if it does not stay an
 * owner.
 * @throws Failure `bad-link`, the same for an unknown key, an offer that has expired or ended, one to another account,
 *   and one of an account that is no owner any more; those of {@link changeAs}
 */
export async function acceptOwnership(accounts: AccountContext, key: string, { identity }: Changer): Promise<UserRow> {
  const { clock, database, outbox } = accounts;
  const known = await findOfferByKey(database, hashMailedKey(key));
  if (!known) throw new Failure("bad-link");
  const { offered_by: ownerId } = known;
  return changeAs(accounts, { ...identity, others: [ownerId] }, "proof", async ({ db, user }) => {
    await holdAdministration(db);
    const at = clock.now();
    // Read again: the offer may have been accepted, withdrawn or replaced since.
    const offer = await findOpenOffer(db, user.id, at);
    const owner = await findUser(db, ownerId);
    if (offer?.id !== known.id || !owner || !isActiveOwner(owner) || !canAccept(user)) throw new Failure("bad-link");
    // A new owner's offer ends with the change of the role.
    const changed = await giveRole(db, user, { role: "owner", at, actor: user.id });
    if (offer.stays_owner === 0) {
      await keepOwner(db, owner);
      await giveRole(db, owner, { role: "administrator", at, actor: owner.id });
    }
    const params = { acceptedBy: user.id };
    await outbox.enqueue(db, { template: templates.ownershipAccepted, userId: ownerId, params });
    return changed;
  });
}

/** Returns the open offer to an account. */
export async function readOffer(
  { clock, database }: Pick<AccountContext, "clock" | "database">,
  userId: string,
  db: Queryable = database,
): Promise<OwnershipOffer | undefined> {
  const offer = await findOpenOffer(db, userId, clock.now());
  return offer && toOffer(offer);
}

function toOffer({ stays_owner, offered_by, owner, expires_at }: NamedOffer): OwnershipOffer {
  return { staysOwner: stays_owner === 1, offeredBy: { id: offered_by, username: owner }, expiresAt: expires_at };
}

function canAccept(user: UserRow): boolean {
  return user.role !== "owner" && isActive(user);
}

function isActiveOwner(user: UserRow): boolean {
  return user.role === "owner" && isActive(user);
}
