import { type Letter, type Recipient, toLetter } from "./letter.ts";

type VerificationLetter = Recipient & {
  /** Contains the key. */
  link: string;
  /** Whether the account will be the first owner of the server. */
  isFirstOwner: boolean;
};

/** Returns the letter that asks the owner of an address to verify it. */
export function verifyEmailLetter({ isFirstOwner, ...recipient }: VerificationLetter): Letter {
  const { to, productName, username } = recipient;
  return toLetter({
    ...recipient,
    label: `Verify ${username} (${to})`,
    note: isFirstOwner ? "This account will be the owner of the server." : undefined,
    subject: `Verify your email address for ${productName}`,
    before: [
      `Welcome to ${productName}!`,
      `Somebody, hopefully you, registered the account “${username}” with this email address. ` +
        "Please verify the address to activate that account.",
    ],
    action: "Verify email address",
    after: [
      "The link works once and for 24 hours.",
      `If you did not register as “${username}”, please ignore this mail: do not follow the link, ` +
        "and nothing will happen.",
    ],
  });
}

/** Returns the letter that reports a repeated registration with the address of a verified account. */
export function alreadyHaveAccountLetter({ signInUrl, ...recipient }: Recipient & { signInUrl: string }): Letter {
  const { productName, username } = recipient;
  return toLetter({
    ...recipient,
    link: signInUrl,
    subject: `You already have an account at ${productName}`,
    before: [
      `Somebody, perhaps you, tried to register or to verify this email address at ${productName}.`,
      `You already have one: your username is “${username}”. There is nothing to verify, just sign in.`,
    ],
    action: "Sign in",
    after: [
      "If it was not you, you do not need to do anything: your account stays as it is, and no other one was activated.",
    ],
  });
}

/** Returns the letter by which an owner tests the delivery of mails. */
export function testLetter({ publicUrl, ...recipient }: Recipient & { publicUrl: string }): Letter {
  const { productName, username } = recipient;
  return toLetter({
    ...recipient,
    link: `${publicUrl}/administration/setup`,
    subject: `Test mail from ${productName}`,
    before: [`This mail was sent as a test for the account “${username}”. Mails of ${productName} arrive.`],
    action: "Go to the first steps",
    after: [],
  });
}

type AcceptedLetter = Recipient & {
  publicUrl: string;
  /** Name and username of the account that accepted. */
  accepted: { id: string; name: string; username: string };
  /** Whether the offering account is still an owner. */
  isOwner: boolean;
};

/** Returns the letter that reports an accepted offer of ownership to the account that made it. */
export function ownershipAcceptedLetter({ publicUrl, accepted, isOwner, ...recipient }: AcceptedLetter): Letter {
  const { productName, username } = recipient;
  return toLetter({
    ...recipient,
    link: `${publicUrl}/administration/people/${accepted.id}`,
    subject: `Your offer of ownership of ${productName} was accepted`,
    before: [
      `${accepted.name} (“${accepted.username}”) is now an owner of ${productName}. ` +
        `Your account “${username}” ${isOwner ? "is an owner, too." : "is an administrator now."}`,
    ],
    action: "See the account",
    after: [
      "If you did not offer ownership, please set a new password at once, and ask the new owner or the person who runs " +
        "the server.",
    ],
  });
}
