/**
 * For tests: Google's script, with the calls of the page to it. A test file replaces the loader by `vi.mock` of
 * google-identity.ts, with {@link loadFakeGoogle} as `loadGoogleIdentity`.
 */

import { act } from "@testing-library/react";
import { expect, vi } from "vitest";
import type { ButtonOptions, GoogleIdentity } from "../../accounts/sign-in/google-identity.ts";

type InitOptions = Parameters<GoogleIdentity["initialize"]>[0];

/** State of the script since the last `reset`. */
export const fakeGoogle = {
  isMissing: false,
  loads: 0,
  initialized: [] as InitOptions[],
  rendered: [] as ButtonOptions[],
  reset() {
    Object.assign(this, { isMissing: false, loads: 0, initialized: [], rendered: [] });
  },
};

/** Takes the place of `loadGoogleIdentity`. */
export async function loadFakeGoogle(): Promise<GoogleIdentity> {
  fakeGoogle.loads += 1;
  if (fakeGoogle.isMissing) throw new Error("Google's script could not be loaded");
  return {
    initialize: (options) => void fakeGoogle.initialized.push(options),
    renderButton: (parent, options) => {
      fakeGoogle.rendered.push(options);
      parent.append(Object.assign(document.createElement("iframe"), { title: "Google" }));
    },
  };
}

/** Presses the button once it was rendered with `nonce`; Google returns an id_token. */
export async function pressGoogle(nonce: string, idToken: string): Promise<void> {
  await vi.waitFor(() => expect(fakeGoogle.initialized.at(-1)?.nonce).toBe(nonce));
  await act(async () => void fakeGoogle.initialized.at(-1)?.callback({ credential: idToken }));
}
