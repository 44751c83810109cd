import type { Config } from "../../config/config.ts";
import { Failure } from "../../failure.ts";
import { emailKeyOf } from "../account-keys.ts";

type RegistrationSettings = Pick<Config, "registrationOpen" | "registrationDomains">;

/** @throws Failure if registration is closed, or not open for this address's domain */
export function refuseUnwantedRegistration(settings: RegistrationSettings, email: string): void {
  if (!settings.registrationOpen) throw new Failure("registration-closed");
  refuseUnwantedDomain(settings, email);
}

/** @throws Failure if registration requires another domain */
export function refuseUnwantedDomain(settings: RegistrationSettings, email: string): void {
  const domain = emailKeyOf(email).split("@").at(-1) ?? "";
  const { registrationDomains } = settings;
  if (registrationDomains.length > 0 && !registrationDomains.includes(domain)) throw new Failure("registration-domain");
}
