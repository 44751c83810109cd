import type { CDPSession, Page } from "@playwright/test";
import { test as base } from "./fixtures.ts";
import { withServerAt } from "./server-at-address.ts";

/** Starts a server at "localhost", which can have passkeys, unlike an IP address. */
export const test = base.extend<{ authenticator: VirtualAuthenticator }>({
  parley: [
    async ({ browserName: _ }, use) => {
      await withServerAt("localhost", () => ({}), use);
    },
    { scope: "worker" },
  ],
  authenticator: async ({ page }, use) => use(await VirtualAuthenticator.add(page)),
});

/** Chromium's own authenticator in software, like that of a phone: it verifies the person and stores passkeys. */
export class VirtualAuthenticator {
  readonly #session: CDPSession;
  readonly #authenticatorId: string;

  private constructor(session: CDPSession, authenticatorId: string) {
    this.#session = session;
    this.#authenticatorId = authenticatorId;
  }

  static async add(page: Page): Promise<VirtualAuthenticator> {
    const session = await page.context().newCDPSession(page);
    await session.send("WebAuthn.enable", { enableUI: false });
    const { authenticatorId } = await session.send("WebAuthn.addVirtualAuthenticator", {
      options: {
        protocol: "ctap2",
        transport: "internal",
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    return new VirtualAuthenticator(session, authenticatorId);
  }

  /** Lets the person answer requests, also those of suggestions, or ignore them. */
  async answers(isEnabled: boolean): Promise<void> {
    const authenticatorId = this.#authenticatorId;
    await this.#session.send("WebAuthn.setAutomaticPresenceSimulation", { authenticatorId, enabled: isEnabled });
  }

  /** Lets the authenticator recognise the person, or not. */
  async recognises(isUserVerified: boolean): Promise<void> {
    await this.#session.send("WebAuthn.setUserVerified", { authenticatorId: this.#authenticatorId, isUserVerified });
  }
}
