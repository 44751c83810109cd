import { accountPaths } from "#contract/accounts/paths.ts";
import { recoveryCodesSchema, totpEnrolmentSchema } from "#contract/accounts/second-factor.ts";
import { fromBase32 } from "../../server/accounts/second-factor/base32.ts";
import { stepAt, totpCode } from "../../server/accounts/second-factor/totp.ts";
import type { TestApp } from "../app/start-test-app.ts";
import type { TestAccount } from "./sign-up.ts";

/** An authenticator app with the secret of an account. */
export class AuthenticatorApp {
  readonly #secret: Uint8Array;

  /** @param secret in base32 */
  constructor(secret: string) {
    this.#secret = fromBase32(secret);
  }

  /** Returns the code of the time step that is `steps` after that of a Unix time in ms. */
  codeAt(now: number, steps = 0): string {
    return totpCode(this.#secret, stepAt(now) + steps);
  }
}

/** The second factor of a test account. */
export type TestFactor = { authenticator: AuthenticatorApp; recoveryCodes: string[] };

/** Switches the second factor of an account on, whose session has a recent proof. */
export async function switchSecondFactorOn(app: TestApp, { token }: Pick<TestAccount, "token">): Promise<TestFactor> {
  const begun = await app.call("POST", accountPaths.totpEnrolment, { token });
  const { secret, enrolment } = totpEnrolmentSchema.parse(await begun.json());
  const authenticator = new AuthenticatorApp(secret);
  // The code of the step before: that of the current one is still free for a sign-in.
  const body = { enrolment, code: authenticator.codeAt(app.context.clock.now(), -1) };
  const confirmed = await app.call("POST", accountPaths.secondFactor, { token, body });
  const { recoveryCodes } = recoveryCodesSchema.parse(await confirmed.json());
  return { authenticator, recoveryCodes };
}
