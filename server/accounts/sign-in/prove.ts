import type { ProofRequest, Proved } from "#contract/accounts/account-settings.ts";
import type { UserRow } from "../../database/schema.ts";
import { Failure } from "../../failure.ts";
import { findUser } from "../account-store.ts";
import type { AccountContext } from "../accounts.ts";
import { readGoogleToken } from "../google/read-google-token.ts";
import { type Changer, changeAs } from "../trust/change-as.ts";
import { checkPassword } from "./check-password.ts";

export type Proof = Changer & { nonceCookie: string | undefined };

/** Whether an accepted proof still belongs to the account, whose row is now locked. */
type StillProves = (user: UserRow) => boolean;

type GivenProof = Omit<Proof, "identity"> & { user: UserRow; given: string };

type FieldsOf<Union> = Union extends unknown ? keyof Union : never;

/** The kinds of proof, by the field of the request. Add further kinds here. */
const kinds: Record<FieldsOf<ProofRequest>, (accounts: AccountContext, proof: GivenProof) => Promise<StillProves>> = {
  password: async (accounts, { user, given: password, client }) => {
    const guess = { user, name: user.username, password, client, isSignedIn: true };
    const right = await checkPassword(accounts, guess);
    if (right === null) throw new Failure("wrong-password");
    return ({ password_hash }) => password_hash === right;
  },
  id_token: async (accounts, { user, given: idToken, client, nonceCookie }) => {
    const { subject } = await readGoogleToken(accounts, { idToken, client, nonceCookie });
    if (subject !== user.google_subject) throw new Failure("bad-google-token");
    return ({ google_subject }) => google_subject === subject;
  },
};

const isKind = (field: string): field is keyof typeof kinds => Object.hasOwn(kinds, field);

/**
 * Re-authenticates the account's owner; valid for ten minutes in this session.
 * @throws Failure `wrong-password`, `bad-google-token`, and those of checking either
 */
export async function prove(accounts: AccountContext, request: ProofRequest, proof: Proof): Promise<Proved> {
  const { identity } = proof;
  const stillProves = await check(accounts, request, proof);
  const provedUntil = await changeAs(accounts, identity, "session", async ({ db, user }) => {
    // The password was changed or Google was disconnected meanwhile.
    if (!stillProves(user)) throw new Failure("proof-needed");
    return accounts.sessions.prove(db, identity);
  });
  return { provedUntil };
}

async function check(accounts: AccountContext, request: ProofRequest, proof: Proof): Promise<StillProves> {
  const { identity, client, nonceCookie } = proof;
  const user = await findUser(accounts.database, identity.userId);
  if (!user) throw new Failure("not-signed-in");
  // The contract admits exactly one field.
  const [field = "", given = ""] = Object.entries(request)[0] ?? [];
  if (!isKind(field)) throw new Failure("internal");
  return kinds[field](accounts, { user, given, client, nonceCookie });
}
