import { type Letter, type Recipient, toLetter } from "./letter.ts";

/** Security-relevant events that are reported to the owner of an account by mail. */
export const accountNotices = [
  "new-device",
  "password-changed",
  "password-reset",
  "password-set",
  "google-connected",
  "google-disconnected",
  "identity-connected",
  "identity-disconnected",
  "second-factor-on",
  "second-factor-off",
  "second-factor-reset",
  "passkey-added",
  "passkey-removed",
  "recovery-code-used",
  "recovery-codes-renewed",
  "email-change-asked",
  "email-change-undone",
  "username-changed",
  "deletion-asked",
  "deletion-cancelled",
] as const;
export type AccountNotice = (typeof accountNotices)[number];

/** Time (Unix time in ms) and client of an event. Unknown strings are empty. */
export type Doing = { at: number; browser: string; system: string; ip: string };

type NoticeLetter = Recipient & {
  kind: AccountNotice;
  doing: Doing;
  publicUrl: string;
  /** Unix time in ms at which the account will be deleted; `null` if it will not. */
  deleteAt: number | null;
};

type Wording = { subject: string; happened: string; ifNotYou: string; action: string; path: string };

const setPassword = { action: "Set a new password", path: "/forgot-password" };
const ENDS_ALL = "That signs everybody out of your account.";

/** Returns the letter that reports an event of an account: when, from which client, and how to react to misuse. */
export function noticeLetter({ kind, doing, publicUrl, deleteAt, ...recipient }: NoticeLetter): Letter {
  const { productName, username } = recipient;
  const { subject, happened, ifNotYou, action, path } = wordingOf(kind, productName, username, deleteAt);
  return toLetter({
    ...recipient,
    subject,
    before: [happened, whereabouts(doing), ifNotYou],
    action,
    link: `${publicUrl}${path}`,
    after: ["If it was you, you do not need to do anything."],
  });
}

/** Product, and the account in words. */
type Names = { product: string; account: string };

function wordingOf(kind: AccountNotice, product: string, username: string, deleteAt: number | null): Wording {
  const names = { product, account: `your account “${username}” at ${product}` };
  const wordings: Record<AccountNotice, Wording> = {
    ...signInWordings(names),
    ...secondFactorWordings(names),
    ...accountWordings(names, username, deleteAt),
  };
  return wordings[kind];
}

function signInWordings({ product, account }: Names) {
  return {
    "new-device": {
      subject: `New sign-in to your account at ${product}`,
      happened: `Somebody signed in to ${account} from a browser that was not used for it before. Further new browsers within the hour appear only in the security log of its settings.`,
      ifNotYou: `If it was not you, please set a new password at once. ${ENDS_ALL}`,
      ...setPassword,
    },
    "password-changed": {
      subject: `Your password at ${product} was changed`,
      happened: `The password of ${account} was changed. All other browsers were signed out.`,
      ifNotYou: `If it was not you, please set a new one at once. ${ENDS_ALL}`,
      ...setPassword,
    },
    "password-reset": {
      subject: `Your password at ${product} was reset`,
      happened: `A new password was set for ${account} by a link from a mail. All browsers were signed out.`,
      ifNotYou:
        "If it was not you, somebody can read your mails. Please secure your mailbox first, then set a new password.",
      ...setPassword,
    },
    "password-set": {
      subject: `Your password at ${product} was reset`,
      happened: `The administrator set a new password for ${account}. All browsers were signed out.`,
      ifNotYou: "If you do not know it, or would rather have one of your own, please set a new one.",
      ...setPassword,
    },
    "google-connected": {
      subject: `Google sign-in was connected to your account at ${product}`,
      happened: `A Google account was connected to ${account}: its owner can now sign in.`,
      ifNotYou: `If it was not you, please set a new password at once, then disconnect Google in the settings.`,
      ...setPassword,
    },
    "google-disconnected": {
      subject: `Google sign-in was disconnected from your account at ${product}`,
      happened: `The Google account was disconnected from ${account}. You can now sign in with your password only.`,
      ifNotYou: `If it was not you, please set a new password at once. ${ENDS_ALL}`,
      ...setPassword,
    },
    "identity-connected": {
      subject: `Single sign-on was connected to your account at ${product}`,
      happened: `An identity of a sign-in provider was connected to ${account}: its owner can now sign in.`,
      ifNotYou: "If it was not you, please set a new password at once, which disconnects it.",
      ...setPassword,
    },
    "identity-disconnected": {
      subject: `Single sign-on was disconnected from your account at ${product}`,
      happened: `An identity of a sign-in provider was disconnected from ${account}. It no longer signs in.`,
      ifNotYou: `If it was not you, please set a new password at once. ${ENDS_ALL}`,
      ...setPassword,
    },
  };
}

function secondFactorWordings({ product, account }: Names) {
  return {
    "second-factor-on": {
      subject: `A second factor protects your account at ${product}`,
      happened: `Sign-in to ${account} now needs a code of an authenticator app as well.`,
      ifNotYou:
        "If it was not you, somebody can read your mails or knows your password. Please set a new password at once, then ask the administrator to reset the second factor.",
      ...setPassword,
    },
    "second-factor-off": {
      subject: `The second factor of your account at ${product} is off`,
      happened: `The second factor of ${account} was switched off: the password, or another way to sign in, suffices now.`,
      ifNotYou: `If it was not you, please set a new password at once. ${ENDS_ALL}`,
      ...setPassword,
    },
    "second-factor-reset": {
      subject: `The second factor of your account at ${product} was reset`,
      happened: `The administrator removed the second factor and the passkeys of ${account}: sign-in needs no code until you switch it on again.`,
      ifNotYou: "If you did not ask for it, please set a new password, then tell the administrator.",
      ...setPassword,
    },
    "passkey-added": {
      subject: `A passkey was added to your account at ${product}`,
      happened: `A passkey was added to ${account}: the device or key that holds it can now sign in.`,
      ifNotYou: `If it was not you, please set a new password at once, which removes all passkeys. ${ENDS_ALL}`,
      ...setPassword,
    },
    "passkey-removed": {
      subject: `A passkey of your account at ${product} was removed`,
      happened: `A passkey was removed from ${account}, and other browsers that had signed in by one were signed out.`,
      ifNotYou: `If it was not you, please set a new password at once. ${ENDS_ALL}`,
      ...setPassword,
    },
    "recovery-code-used": {
      subject: `A recovery code of your account at ${product} was used`,
      happened: `Somebody signed in to ${account} by a recovery code. It works only once; the settings show how many are left.`,
      ifNotYou: `If it was not you, somebody knows your password and has your codes. Please set a new password at once, then new recovery codes. ${ENDS_ALL}`,
      ...setPassword,
    },
    "recovery-codes-renewed": {
      subject: `Your account at ${product} has new recovery codes`,
      happened: `The recovery codes of ${account} were replaced: the old ones do not work any more.`,
      ifNotYou: `If it was not you, please set a new password at once. ${ENDS_ALL}`,
      ...setPassword,
    },
  };
}

function accountWordings({ product, account }: Names, username: string, deleteAt: number | null) {
  return {
    "email-change-asked": {
      subject: `Another address for your account at ${product}`,
      happened: `Somebody asked to give ${account} another email address. It keeps this one until the other is confirmed.`,
      ifNotYou: `If it was not you, please set a new password at once. ${ENDS_ALL} It also cancels the change.`,
      ...setPassword,
    },
    "email-change-undone": {
      subject: `Your address at ${product} was given back`,
      happened: `The change of address of ${account} was undone: it has this address again. All browsers were signed out, Google sign-in is disconnected, and the old password no longer works.`,
      ifNotYou: "The person who changed the address may have known that password. Please set a new one now.",
      ...setPassword,
    },
    "username-changed": {
      subject: `Your username at ${product} was changed`,
      happened: `Your account at ${product} has a new username: “${username}”. You sign in with it from now on.`,
      ifNotYou: `If it was not you, please set a new password at once. ${ENDS_ALL}`,
      ...setPassword,
    },
    "deletion-asked": {
      subject: `Your account at ${product} will be deleted`,
      happened: `Somebody asked to delete ${account}. It will be deleted ${deleteAt === null ? "in 14 days" : `on ${timeOf(deleteAt)}`}, with all its chats. All browsers were signed out.`,
      ifNotYou: "To keep it, just sign in before then. If it was not you who asked, please set a new password, too.",
      action: "Sign in and keep the account",
      path: "/login",
    },
    "deletion-cancelled": {
      subject: `Your account at ${product} will not be deleted`,
      happened: `Somebody signed in to ${account}, so its deletion was cancelled.`,
      ifNotYou: `If it was not you, please set a new password at once. ${ENDS_ALL}`,
      ...setPassword,
    },
  };
}

/** Formats the time and client of an event as one line. */
export function whereabouts({ at, browser, system, ip }: Doing): string {
  const client = [browser || "an unknown program", system && `on ${system}`].filter(Boolean).join(" ");
  return `When: ${timeOf(at)}. From: ${client}${ip && `, IP address ${ip}`}.`;
}

/** Formats a time, such as `21 November 2026, 18:42 UTC`. */
export function timeOf(at: number): string {
  const date = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" }).format(at);
  return `${date}, ${new Date(at).toISOString().slice(11, 16)} UTC`;
}

type ReceiptLetter = Recipient & {
  publicUrl: string;
  /** Number of removed records, by the keys of {@link removedKinds}. */
  counts: Readonly<Record<string, number>>;
};

/** Records counted by a receipt: the word for one, and for several. */
export const removedKinds = {
  chats: ["chat", "chats"],
  messages: ["message", "messages"],
  sessions: ["sign-in", "sign-ins"],
  devices: ["known browser", "known browsers"],
  securityEvents: ["entry of the security log", "entries of the security log"],
  mails: ["mail", "mails"],
} as const;
export type RemovedKind = keyof typeof removedKinds;

/** Returns the last letter to the owner of a deleted account. */
export function deletionReceiptLetter({ counts, publicUrl, ...recipient }: ReceiptLetter): Letter {
  const { productName, username } = recipient;
  const removed = Object.entries(removedKinds).map(([kind, [one, several]]) => {
    const count = counts[kind] ?? 0;
    return `${count.toLocaleString("en")} ${count === 1 ? one : several}`;
  });
  return toLetter({
    ...recipient,
    subject: `Your account at ${productName} was deleted`,
    before: [
      `Your account “${username}” at ${productName} was deleted, with everything in it.`,
      `Removed: ${removed.join(", ")}.`,
      "Earlier backups by the administrator may still contain it until they are replaced.",
    ],
    action: `Go to ${productName}`,
    link: publicUrl,
    after: ["This is the last mail about this account. Your address is no longer stored."],
  });
}
