import type { Config } from "../../config/config.ts";
import { Failure } from "../../failure.ts";
import { emailKeyOf } from "../account-keys.ts";

type RegistrationSettings = Pick<Config, "registrationOpen" | "registrationDomains">;

/** @throws Failure where the installation takes no new accounts, or none of this address's domain */
export function refuseUnwantedRegistration(settings: RegistrationSettings, email: string): void {
  if (!settings.registrationOpen) throw new Failure("registration-closed");
  refuseUnwantedDomain(settings, email);
}

/** @throws Failure where accounts here have addresses of other domains only */
export function refuseUnwantedDomain(settings: RegistrationSettings, email: string): void {
  const domain = emailKeyOf(email).split("@").at(-1) ?? "";
  const { registrationDomains } = settings;
  if (registrationDomains.length > 0 && !registrationDomains.includes(domain)) throw new Failure("registration-domain");
}
