import type { Page } from "@playwright/test";
import { accountPaths } from "#contract/accounts/paths.ts";
import { answerWith, jsonAnswer } from "../routed-calls.ts";
import { press } from "../settings-screen.ts";
import type { Screens } from "./walk.ts";

const heading = (text: string) => (page: Page) => page.getByRole("heading", { level: 1, name: text, exact: true });
const button = (text: string) => (page: Page) => press(page, text);

/** Screens of a sign-in by identity providers. */
export const ssoScreens: Screens = {
  "sign-in by identity providers alone": {
    before: async ({ page }) => {
      const config = { productName: "Parley", passwordMin: 8, passwordPolicy: "plain", registrationOpen: true };
      const identityProviders = [
        { slug: "oidc", name: "An organisation with a long name", kind: "oidc" },
        { slug: "ldap", name: "Our school", kind: "ldap" },
      ];
      const answer = { ...config, identityProviders, isSsoOnly: true };
      await answerWith(page, accountPaths.authConfig, jsonAnswer(200, answer));
    },
    open: "/login",
    shows: button("Continue with Our school"),
  },
  "sign-in with the name of a directory": {
    reach: ({ page }) => page.getByRole("button", { name: "Continue with Our school" }).click(),
    shows: heading("Sign In with Our school"),
  },
  "sign-in that a provider refused": {
    open: "/sso/oidc?error=access_denied&state=any",
    shows: button("Back to sign in"),
  },
};
