import * as z from "zod/mini";
import type { EmailKeyRow, MailRow, Queryable, UserRow } from "../database/schema.ts";
import {
  confirmEmailLetter,
  confirmPasswordLetter,
  emailChangedLetter,
  factorEndsLetter,
  invitationLetter,
  loseFactorLetter,
  ownershipLetter,
  resetPasswordLetter,
} from "../mail/key-letters.ts";
import type { Letter } from "../mail/letter.ts";
import { accountNotices, type Doing, deletionReceiptLetter, noticeLetter } from "../mail/notice-letters.ts";
import type { Compose } from "../mail/outbox.ts";
import { alreadyHaveAccountLetter, ownershipAcceptedLetter, testLetter, verifyEmailLetter } from "../mail/templates.ts";
import { findUser } from "./account-store.ts";
import { namesOfClient } from "./client-names.ts";
import { invitationKeyOf, invitationLink } from "./invitations/invitation-keys.ts";
import { renewInvitationKey } from "./invitations/invitation-store.ts";
import { renewEmailKey } from "./mailed-keys/email-key-store.ts";
import { hashMailedKey, type KeyPurpose, keyLivesMs, mailedKeyOf } from "./mailed-keys/mailed-keys.ts";
import { admitsFirstOwner } from "./roles/owners.ts";
import { ownershipKeyOf, ownershipLink } from "./roles/ownership-keys.ts";
import { renewOfferKey } from "./roles/ownership-offer-store.ts";
import { displayNameOf } from "./to-user.ts";

/** Templates whose links contain a key. */
const keyTemplates = {
  verifyEmail: "verify-email",
  confirmPassword: "confirm-password",
  resetPassword: "reset-password",
  changeEmail: "change-email",
  emailChanged: "email-changed",
  loseFactor: "lose-factor",
  factorEnds: "factor-ends",
} as const;
export type KeyTemplate = (typeof keyTemplates)[keyof typeof keyTemplates];

const purposes: Readonly<Record<KeyTemplate, KeyPurpose>> = {
  "verify-email": "verify-email",
  "confirm-password": "confirm-password",
  "reset-password": "reset-password",
  "change-email": "change-email",
  "email-changed": "undo-email",
  "lose-factor": "lose-factor",
  "factor-ends": "keep-factor",
};

export const templates = {
  ...keyTemplates,
  alreadyHaveAccount: "already-have-account",
  notice: "notice",
  deletionReceipt: "deletion-receipt",
  invitation: "invitation",
  ownershipOffer: "ownership-offer",
  ownershipAccepted: "ownership-accepted",
  test: "test",
  none: "none",
} as const;

const keyParamsSchema = z.object({ keyId: z.string() });
const invitationParamsSchema = z.object({ invitationId: z.string() });
const acceptedParamsSchema = z.object({ acceptedBy: z.string() });
const offerParamsSchema = z.object({ offerId: z.string() });
const doingSchema = z.object({ at: z.coerce.number(), userAgent: z.string(), ip: z.string() });
const noticeParamsSchema = z.extend(doingSchema, { kind: z.enum(accountNotices), to: z.string() });
/** `counts`: numbers of removed items, as JSON. */
const receiptParamsSchema = z.object({ to: z.string(), username: z.string(), counts: z.string() });
const countsSchema = z.record(z.string(), z.number());

export type AccountMailSettings = {
  keySecret: Uint8Array;
  invitationSecret: Uint8Array;
  ownershipSecret: Uint8Array;
  productName: string;
  publicUrl: string;
  /** Whether other machines can send requests. */
  isReachable: boolean;
};

/**
 * Composes the mails of accounts. Each delivery attempt renews the lifetime of the mail's key.
 * @param currentSettings is called for each letter
 */
export function composeAccountMails(currentSettings: () => AccountMailSettings): Compose {
  return async (db, mail, now) => {
    const settings = currentSettings();
    if (mail.user_id === null) return composeForNobody(settings, mail);
    const user = await findUser(db, mail.user_id);
    if (!user) return null;
    if (mail.template === templates.alreadyHaveAccount) return composeAlreadyHaveAccount(settings, user);
    if (mail.template === templates.notice) return composeNotice(settings, mail, user);
    if (mail.template === templates.invitation) return composeInvitation(settings, db, { mail, inviter: user, now });
    if (mail.template === templates.ownershipOffer) return composeOwnershipOffer(settings, db, { mail, user, now });
    if (mail.template === templates.ownershipAccepted) return composeAccepted(settings, db, { mail, user });
    if (mail.template === templates.test) return composeTest(settings, user);
    const template = Object.values(keyTemplates).find((name) => name === mail.template);
    return template ? composeWithKey(settings, db, { mail, template, user, now }) : null;
  };
}

/** Composes a mail without an account: the receipt of a deleted account; nothing else is sent. */
function composeForNobody({ productName, publicUrl }: AccountMailSettings, mail: MailRow): Letter | null {
  if (mail.template !== templates.deletionReceipt) return null;
  const { to, username, counts } = receiptParamsSchema.parse(JSON.parse(mail.params));
  return deletionReceiptLetter({
    to,
    username,
    productName,
    publicUrl,
    counts: countsSchema.parse(JSON.parse(counts)),
  });
}

type KeyMail = { mail: MailRow; template: KeyTemplate; user: UserRow; now: number };

async function composeWithKey(
  settings: AccountMailSettings,
  db: Queryable,
  { mail, template, user, now }: KeyMail,
): Promise<Letter | null> {
  const { keyId } = keyParamsSchema.parse(JSON.parse(mail.params));
  const key = mailedKeyOf(settings.keySecret, keyId);
  // Updates the hash as well: the secret may have changed since the mail was queued.
  const expires_at = now + keyLivesMs[purposes[template]];
  const row = await renewEmailKey(db, { id: keyId, user_id: user.id, hash: hashMailedKey(key), expires_at });
  return row ? keyLetterOf(settings, db, { mail, template, user, key, row }) : null;
}

async function keyLetterOf(
  { productName, publicUrl, isReachable }: AccountMailSettings,
  db: Queryable,
  { mail, template, user, key, row }: Pick<KeyMail, "mail" | "template" | "user"> & { key: string; row: EmailKeyRow },
): Promise<Letter> {
  // Browsers never send a fragment to a server, so that no access log contains the key.
  const linkTo = (page: string) => `${publicUrl}/${page}#${new URLSearchParams({ key })}`;
  // The specification requires a query here.
  const verifyLink = `${publicUrl}/verify-email?${new URLSearchParams({ key, email: user.email })}`;
  const own = { to: user.email, username: user.username, productName };
  const other = { ...own, to: row.address ?? user.email };
  switch (template) {
    case "verify-email":
      return verifyEmailLetter({ ...own, link: verifyLink, isFirstOwner: await admitsFirstOwner({ isReachable }, db) });
    case "confirm-password":
      return confirmPasswordLetter({ ...own, link: verifyLink, publicUrl });
    case "reset-password":
      return resetPasswordLetter({ ...own, link: linkTo("reset-password") });
    case "change-email":
      return confirmEmailLetter({ ...other, link: linkTo("confirm-email") });
    case "email-changed":
      return emailChangedLetter({ ...other, link: linkTo("undo-email"), doing: await doingOf(mail) });
    case "lose-factor":
      return loseFactorLetter({ ...own, link: linkTo("lose-factor") });
    case "factor-ends":
      return factorEndsLetter({ ...own, link: linkTo("keep-factor"), doing: await doingOf(mail) });
  }
}

function composeAlreadyHaveAccount({ productName, publicUrl }: AccountMailSettings, owner: UserRow): Letter {
  const { email, username } = owner;
  return alreadyHaveAccountLetter({ to: email, username, productName, signInUrl: `${publicUrl}/login` });
}

function composeTest({ productName, publicUrl }: AccountMailSettings, { email, username }: UserRow): Letter {
  return testLetter({ to: email, username, productName, publicUrl });
}

async function composeInvitation(
  { invitationSecret, productName, publicUrl }: AccountMailSettings,
  db: Queryable,
  { mail, inviter, now }: { mail: MailRow; inviter: UserRow; now: number },
): Promise<Letter | null> {
  const { invitationId: id } = invitationParamsSchema.parse(JSON.parse(mail.params));
  const key = invitationKeyOf(invitationSecret, id);
  // Updates the hash as well: the secret may have changed since the mail was queued.
  const invitation = await renewInvitationKey(db, { id, keyHash: hashMailedKey(key), now });
  if (!invitation?.address) return null;
  return invitationLetter({
    to: invitation.address,
    inviter: displayNameOf(inviter),
    productName,
    link: invitationLink(publicUrl, key),
    expiresAt: invitation.expires_at,
  });
}

async function composeOwnershipOffer(
  { ownershipSecret, productName, publicUrl }: AccountMailSettings,
  db: Queryable,
  { mail, user, now }: { mail: MailRow; user: UserRow; now: number },
): Promise<Letter | null> {
  const { offerId: id } = offerParamsSchema.parse(JSON.parse(mail.params));
  const key = ownershipKeyOf(ownershipSecret, id);
  // Updates the hash as well: the secret may have changed since the mail was queued.
  const offer = await renewOfferKey(db, { id, keyHash: hashMailedKey(key), now });
  const owner = offer && (await findUser(db, offer.offered_by));
  if (!owner) return null;
  return ownershipLetter({
    to: user.email,
    username: user.username,
    productName,
    owner: displayNameOf(owner),
    staysOwner: offer.stays_owner === 1,
    link: ownershipLink(publicUrl, key),
    expiresAt: offer.expires_at,
  });
}

async function composeAccepted(
  { productName, publicUrl }: AccountMailSettings,
  db: Queryable,
  { mail, user }: { mail: MailRow; user: UserRow },
): Promise<Letter | null> {
  const { acceptedBy } = acceptedParamsSchema.parse(JSON.parse(mail.params));
  const owner = await findUser(db, acceptedBy);
  if (!owner) return null;
  const { email: to, username, role } = user;
  const accepted = { id: owner.id, name: displayNameOf(owner), username: owner.username };
  return ownershipAcceptedLetter({ to, username, productName, publicUrl, accepted, isOwner: role === "owner" });
}

async function composeNotice(
  { productName, publicUrl }: AccountMailSettings,
  mail: MailRow,
  { username, delete_at: deleteAt }: UserRow,
): Promise<Letter> {
  const { kind, to } = noticeParamsSchema.parse(JSON.parse(mail.params));
  return noticeLetter({ kind, to, doing: await doingOf(mail), publicUrl, productName, username, deleteAt });
}

async function doingOf(mail: MailRow): Promise<Doing> {
  const { at, userAgent, ip } = doingSchema.parse(JSON.parse(mail.params));
  return { at, ip, ...(await namesOfClient(userAgent)) };
}
