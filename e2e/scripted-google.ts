import type { Locator, Page } from "@playwright/test";
import type { JWTPayload } from "jose";
import type { KeyServer } from "../testing/servers/key-server.ts";

export const SCRIPT_URL = "https://accounts.google.com/gsi/client";

/** Calls of the page to Google's script so far. */
export type GoogleCalls = {
  initialized: { client_id: string; nonce: string; ux_mode: string; auto_select: boolean }[];
  rendered: { type: string; theme: string; text: string; width: number }[];
  prompts: number;
};

export type ScriptedGoogle = {
  /** Claims of the id_token that the next press of the button returns. */
  claims: JWTPayload;
  readonly button: Locator;
  calls(): Promise<GoogleCalls>;
  /** Returns how often the script was fetched. */
  downloads(): number;
};

/**
 * Replaces Google Identity Services on a page. The script at Google's address records its calls; its plain button
 * returns a token that the key server issues for the nonce that the script received.
 */
export async function installScriptedGoogle(page: Page, keys: KeyServer): Promise<ScriptedGoogle> {
  let downloads = 0;
  const google: ScriptedGoogle = {
    claims: {},
    button: page.getByRole("button", { name: "Sign in with Google", exact: true, includeHidden: true }),
    calls: () => page.evaluate(() => JSON.parse(JSON.stringify(Reflect.get(window, "googleCalls")))),
    downloads: () => downloads,
  };
  await page.exposeFunction("issueIdToken", (nonce: string) => keys.issueIdToken({ nonce, ...google.claims }));
  await page.route(SCRIPT_URL, async (route) => {
    downloads++;
    await route.fulfill({ contentType: "text/javascript", body: script });
  });
  return google;
}

const script = `
  const calls = (window.googleCalls = { initialized: [], rendered: [], prompts: 0 });
  let callback;
  const renderButton = (parent, options) => {
    calls.rendered.push(options);
    const button = document.createElement("button");
    button.textContent = "Sign in with Google";
    button.style.cssText = "height: 40px; width: " + options.width + "px; background: white; color: #1f1f1f";
    button.onclick = async () => callback({ credential: await window.issueIdToken(calls.initialized.at(-1).nonce) });
    parent.append(button);
  };
  const initialize = ({ callback: given, ...options }) => {
    calls.initialized.push(options);
    callback = given;
  };
  window.google = { accounts: { id: { initialize, renderButton, prompt: () => calls.prompts++ } } };
`;
