import type { Config } from "../config/config.ts";
import { Failure } from "../failure.ts";

/**
 * Refuses passwords, passkeys and registration where people sign in by an identity provider alone (`OIDC_ONLY`): otherwise
 * a person whom the provider has removed could go on.
 * @throws Failure `sso-only`
 */
export function refuseOtherWays({ config }: { config: Pick<Config, "isSsoOnly"> }): void {
  if (config.isSsoOnly) throw new Failure("sso-only");
}
