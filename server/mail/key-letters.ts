import { LOSS_WAIT_HOURS } from "#contract/accounts/second-factor.ts";
import { HOUR } from "#contract/limits.ts";
import { type Letter, type Recipient, toLetter } from "./letter.ts";
import { type Doing, timeOf, whereabouts } from "./notice-letters.ts";

type KeyLetter = Recipient & { link: string };

/** Returns the letter with which the owner of an account sets a new password; `link` contains the key. */
export function resetPasswordLetter(recipient: KeyLetter): Letter {
  const { productName, username } = recipient;
  return toLetter({
    ...recipient,
    subject: `Set a new password for ${productName}`,
    before: [
      `Somebody, hopefully you, asked to set a new password for your account “${username}” at ${productName}.`,
      "When you set one, all browsers that are signed in to this account are signed out.",
    ],
    action: "Set a new password",
    after: [
      "The link works once and for 30 minutes.",
      "If you did not ask for it, please ignore this mail: your password does not change.",
    ],
  });
}

/**
 * Returns the letter that asks the mailbox owner of a verified account to confirm a sign-in; `link` contains the key.
 */
export function confirmPasswordLetter({ publicUrl, ...recipient }: KeyLetter & { publicUrl: string }): Letter {
  const { productName, username } = recipient;
  return toLetter({
    ...recipient,
    subject: `Is this you? Sign-in to ${productName}`,
    before: [
      `Somebody is signing in with the password of your account “${username}” at ${productName}, from a browser that is new to the account.`,
      "If it is you, please open this link in the same browser: you are then signed in, and will not be asked again.",
    ],
    action: "Yes, it is me",
    after: [
      "The link works once and for 24 hours.",
      "If you did not choose that password, please ignore the link above " +
        `and set a new password: ${publicUrl}/forgot-password`,
    ],
  });
}

/** Returns the letter that asks the owner of an address to confirm it for an account; `link` contains the key. */
export function confirmEmailLetter(recipient: KeyLetter): Letter {
  const { productName, username } = recipient;
  return toLetter({
    ...recipient,
    subject: `Confirm your new address for ${productName}`,
    before: [
      `Somebody, hopefully you, asked to give the account “${username}” at ${productName} this email address.`,
      "If it was you, please open this link in the browser in which you asked for it: " +
        "opened elsewhere, it signs out all devices and disconnects Google.",
    ],
    action: "Confirm this address",
    after: [
      "The link works once and for 24 hours.",
      "If this account is not yours, please ignore this mail: do not follow the link, and nothing will happen.",
    ],
  });
}

/**
 * Returns the letter to the former address after a change of address; `link` contains the key that undoes the change.
 */
export function emailChangedLetter({ doing, ...recipient }: KeyLetter & { doing: Doing }): Letter {
  const { productName, username } = recipient;
  return toLetter({
    ...recipient,
    subject: `The address of your account at ${productName} was changed`,
    before: [
      `Your account “${username}” at ${productName} now has another email address. From now on, mails go there.`,
      whereabouts(doing),
      "If it was not you, please give your account this address back. That signs out all browsers; then set a new password.",
    ],
    action: "Give this address back",
    after: ["The link works once and for 7 days.", "If it was you, you do not need to do anything."],
  });
}

/** Returns the letter with which the owner of an account reports a lost second factor; `link` contains the key. */
export function loseFactorLetter(recipient: KeyLetter): Letter {
  const { productName, username } = recipient;
  return toLetter({
    ...recipient,
    subject: `Have you lost your second factor for ${productName}?`,
    before: [
      `Somebody who knows the password of your account “${username}” at ${productName} has neither its authenticator app nor a recovery code.`,
      `If it is you, please open this link: ${LOSS_WAIT_HOURS} hours later the password alone signs in.`,
    ],
    action: "I have lost my second factor",
    after: [
      "The link works once and for 30 minutes.",
      "If it is not you, somebody knows your password: please do not follow the link, and set a new password.",
    ],
  });
}

/** Returns the letter that reports the end of a lost second factor; `link` contains the key that stops it. */
export function factorEndsLetter({ doing, ...recipient }: KeyLetter & { doing: Doing }): Letter {
  const { productName, username } = recipient;
  const endsAt = doing.at + LOSS_WAIT_HOURS * HOUR;
  return toLetter({
    ...recipient,
    subject: `The second factor of your account at ${productName} will end`,
    before: [
      `Somebody reported the second factor of your account “${username}” at ${productName} as lost. From ${timeOf(endsAt)} on, the password alone signs in.`,
      whereabouts(doing),
      "If it was not you, please stop it now, then set a new password: somebody can read your mails.",
    ],
    action: "Stop it and keep the second factor",
    after: [
      `The link works until then. If it was you, you do not need to do anything: sign in after ${LOSS_WAIT_HOURS} hours.`,
    ],
  });
}

type InvitationLetter = {
  to: string;
  /** Name of the person who invites. */
  inviter: string;
  productName: string;
  /** Contains the key. */
  link: string;
  /** Unix time in ms. */
  expiresAt: number;
};

/** Returns the letter that invites somebody without an account to register. */
export function invitationLetter({ to, inviter, productName, link, expiresAt }: InvitationLetter): Letter {
  return toLetter({
    to,
    productName,
    link,
    subject: `${inviter} invites you to ${productName}`,
    before: [`${inviter} invites you to ${productName}, for which you can register with this email address.`],
    action: "Accept the invitation",
    after: [
      `The link works once, until ${timeOf(expiresAt)}.`,
      `If you do not know ${inviter}, please ignore this mail: nothing will happen.`,
    ],
  });
}

type OwnershipLetter = KeyLetter & {
  /** Name of the offering owner. */
  owner: string;
  /** Whether that account stays an owner. */
  staysOwner: boolean;
  /** Unix time in ms. */
  expiresAt: number;
};

/** Returns the letter that offers ownership of the server to an account; `link` contains the key. */
export function ownershipLetter({ owner, staysOwner, expiresAt, ...recipient }: OwnershipLetter): Letter {
  const { productName, username } = recipient;
  return toLetter({
    ...recipient,
    subject: `${owner} offers you ownership of ${productName}`,
    before: [
      `${owner} offers to make your account “${username}” an owner of ${productName}.`,
      "An owner administers everything: people, invitations and records, and names administrators.",
      staysOwner
        ? `${owner} stays an owner, too.`
        : `When you accept, ${owner} is an owner no longer, but an administrator.`,
    ],
    action: "See the offer",
    after: [
      `The link works for your account only, once, until ${timeOf(expiresAt)}.`,
      "If you do not want this, please ignore this mail: nothing changes.",
    ],
  });
}
