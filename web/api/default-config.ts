import type { AuthConfig } from "#contract/accounts/accounts.ts";
import { PASSWORD_MIN } from "#contract/limits.ts";

/** The server's configuration until it is read, and what another server leaves out. The page has the product's name. */
export const defaultConfig: AuthConfig = {
  productName: document.querySelector<HTMLMetaElement>('meta[name="application-name"]')?.content || "Parley",
  passwordMin: PASSWORD_MIN,
  passwordPolicy: "plain",
  registrationOpen: true,
};
