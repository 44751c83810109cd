import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";
import { isoCBOR } from "@simplewebauthn/server/helpers";
import {
  type Passkey,
  type PasskeyAssertion,
  type PasskeyAttestation,
  type PasskeyChallenge,
  type PasskeyCreation,
  passkeyChallengeSchema,
  passkeyCreationSchema,
  passkeySchema,
} from "#contract/accounts/passkeys.ts";
import { accountPaths } from "#contract/accounts/paths.ts";
import type { TestApp } from "../app/start-test-app.ts";
import type { TestAccount } from "./sign-up.ts";

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const HAS_CREDENTIAL = 0x40;

const hash = (bytes: Uint8Array | string) => createHash("sha256").update(bytes).digest();
const base64url = (bytes: Uint8Array | string) => Buffer.from(bytes).toString("base64url");

/** What an authenticator answers differently from a correct one. */
export type Deviation = { origin?: string; host?: string; isVerified?: boolean; counter?: number };

/** An authenticator in software with one passkey: WebAuthn Level 3, ECDSA with P-256, no attestation. */
export class SoftwareAuthenticator {
  readonly #origin: string;
  readonly #key: { publicKey: KeyObject; privateKey: KeyObject } = generateKeyPairSync("ec", {
    namedCurve: "prime256v1",
  });
  readonly id = base64url(randomBytes(32));
  #userHandle = "";
  #counter = 0;

  constructor(origin: string) {
    this.#origin = origin;
  }

  create({ challenge, rp, user }: PasskeyCreation, deviation: Deviation = {}): PasskeyAttestation {
    this.#userHandle = user.id;
    const { x = "", y = "" } = this.#key.publicKey.export({ format: "jwk" });
    const coordinate = (text: string) => new Uint8Array(Buffer.from(text, "base64url"));
    // A COSE key (RFC 9053): EC2, ES256, P-256.
    const cose = new Map<number, number | Uint8Array>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, coordinate(x)],
      [-3, coordinate(y)],
    ]);
    const id = Buffer.from(this.id, "base64url");
    const length = Buffer.alloc(2);
    length.writeUInt16BE(id.length);
    const credential = Buffer.concat([Buffer.alloc(16), length, id, isoCBOR.encode(cose)]);
    const authData = Buffer.concat([this.#authenticatorData(rp.id, deviation, HAS_CREDENTIAL), credential]);
    const attestation = isoCBOR.encode(
      new Map<string, string | Uint8Array | Map<string, string>>([
        ["fmt", "none"],
        ["attStmt", new Map()],
        ["authData", new Uint8Array(authData)],
      ]),
    );
    return {
      ...this.#credential(),
      response: {
        clientDataJSON: this.#clientData("webauthn.create", challenge, deviation),
        attestationObject: base64url(attestation),
      },
    };
  }

  get({ challenge, rpId }: PasskeyChallenge, deviation: Deviation = {}): PasskeyAssertion {
    const clientDataJSON = this.#clientData("webauthn.get", challenge, deviation);
    this.#counter += 1;
    const authenticatorData = this.#authenticatorData(rpId, { counter: this.#counter, ...deviation });
    const signed = Buffer.concat([authenticatorData, hash(Buffer.from(clientDataJSON, "base64url"))]);
    return {
      ...this.#credential(),
      response: {
        clientDataJSON,
        authenticatorData: base64url(authenticatorData),
        signature: base64url(sign("sha256", signed, this.#key.privateKey)),
        userHandle: this.#userHandle,
      },
    };
  }

  #credential() {
    return { id: this.id, rawId: this.id, type: "public-key" } as const;
  }

  #clientData(type: string, challenge: string, { origin = this.#origin }: Deviation): string {
    return base64url(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  }

  #authenticatorData(rpId: string, { host = rpId, isVerified = true, counter = 0 }: Deviation, flags = 0): Buffer {
    const rest = Buffer.alloc(5);
    rest[0] = USER_PRESENT | (isVerified ? USER_VERIFIED : 0) | flags;
    rest.writeUInt32BE(counter, 1);
    return Buffer.concat([hash(host), rest]);
  }
}

/** @param code of the second factor, for an account with one */
export async function readCreation(
  app: TestApp,
  { token }: Pick<TestAccount, "token">,
  code?: string,
): Promise<PasskeyCreation> {
  const answer = await app.call("POST", accountPaths.passkeyCreation, { token, body: { code } });
  return passkeyCreationSchema.parse(await answer.json());
}

/** Asks for a challenge as a program does, which has no cookies. */
export async function readChallenge(app: TestApp): Promise<PasskeyChallenge> {
  return passkeyChallengeSchema.parse(await (await app.call("POST", accountPaths.passkeyChallenge)).json());
}

/** Adds a passkey to an account, whose session has a recent proof. */
export async function addTestPasskey(
  app: TestApp,
  { token }: Pick<TestAccount, "token">,
): Promise<{ authenticator: SoftwareAuthenticator; passkey: Passkey }> {
  const authenticator = new SoftwareAuthenticator(app.context.config.publicUrl);
  const body = { passkey: authenticator.create(await readCreation(app, { token })) };
  const added = await app.call("POST", accountPaths.passkeys, { token, body });
  return { authenticator, passkey: passkeySchema.parse(await added.json()) };
}
