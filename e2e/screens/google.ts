import type { Page } from "@playwright/test";
import { accountPaths } from "#contract/accounts/paths.ts";
import { PASSWORD, signUp } from "../../testing/accounts/sign-up.ts";
import { expect } from "../fixtures.ts";
import { newGooglePerson } from "../google-server.ts";
import { SCRIPT_URL, type ScriptedGoogle } from "../scripted-google.ts";
import { field, letProofLapse, part, press, proofDialog } from "../settings-screen.ts";
import { leaveUnanswered, type Scene, type Screens } from "./walk.ts";

export type GoogleScene = Scene & { google: ScriptedGoogle };

const words = (text: string) => (page: Page) => page.getByText(text, { exact: true });

export const googleScreens: Screens<GoogleScene> = {
  "sign-in without Google's script": {
    before: ({ page }) => page.route(SCRIPT_URL, (route) => route.abort(), { times: 1 }),
    open: "/login",
    shows: words("The Google button could not be loaded. You can sign in with your password."),
  },
  "sign-in with Google": {
    open: "/login",
    shows: (page) => press(page, "Sign in with Google"),
  },
  "sign-in with Google by an address that has a password": {
    reach: async ({ app, google }) => {
      google.claims = newGooglePerson({ email: (await signUp(app)).user.email });
      await google.button.click();
    },
    shows: (page) => page.getByRole("alert"),
  },
  "sign-in with Google in progress": {
    before: async (scene) => {
      scene.google.claims = newGooglePerson();
      await leaveUnanswered(scene, accountPaths.google);
    },
    open: "/login",
    reach: ({ google }) => google.button.click(),
    shows: words("Signing in with Google…"),
  },
  "settings: Google without a password": {
    before: async ({ app, page, google }) => {
      await page.goto("/login");
      await google.button.click();
      await expect(page).toHaveURL("/chat");
      const user = await page.evaluate(() => JSON.parse(localStorage.getItem("user") ?? "null"));
      await letProofLapse(app, { user, token: "", password: "" });
    },
    open: "/settings/security",
    shows: (page) => part(page, "Google").getByText("Set a password first"),
  },
  "settings: request for a proof by Google": {
    reach: async ({ page, google }) => {
      await press(page, "Set a password").click();
      await field(page, "New password").fill(PASSWORD);
      await field(page, "Repeat the new password").fill(PASSWORD);
      await press(page, "Set a password").click();
      await expect(google.button).toBeVisible();
    },
    shows: (page) => proofDialog(page).getByText("Please sign in with Google once more."),
  },
  "settings: Google not connected": {
    reach: async ({ page, google }) => {
      await google.button.click();
      await press(page, "Disconnect").click();
      await expect(google.button).toBeVisible();
    },
    shows: words("Not connected"),
  },
};
