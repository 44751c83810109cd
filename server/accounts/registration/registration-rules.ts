import { Failure } from "../../failure.ts";
import type { RegistrationValues } from "../../installation/effective-values.ts";
import { emailKeyOf } from "../account-keys.ts";

/** @throws Failure if registration is closed, or not open for this address's domain */
export function refuseUnwantedRegistration(settings: RegistrationValues, email: string): void {
  if (settings.registration !== "open") throw new Failure("registration-closed");
  refuseUnwantedDomain(settings, email);
}

/** @throws Failure if registration requires another domain */
export function refuseUnwantedDomain(settings: RegistrationValues, email: string): void {
  const domain = emailKeyOf(email).split("@").at(-1) ?? "";
  const { registrationDomains } = settings;
  if (registrationDomains.length > 0 && !registrationDomains.includes(domain)) throw new Failure("registration-domain");
}
