/** What the server tells everybody about itself: product name, rules, Google. A store outside React. */

import { useEffect } from "react";
import { type AuthConfig, authConfigSchema } from "#contract/accounts.ts";
import { PASSWORD_MIN } from "#contract/limits.ts";
import { paths } from "#contract/paths.ts";
import { api } from "../api/client.ts";
import { onReturn } from "../api/on-return.ts";
import { isUnreachable } from "../api/problem-text.ts";
import { log } from "../log.ts";
import { Store } from "../store/store.ts";
import { useStore } from "../store/use-store.ts";

/** What holds until the server has answered. The page's own meta element names the product. */
const untilKnown: AuthConfig = {
  productName: document.querySelector<HTMLMetaElement>('meta[name="application-name"]')?.content || "Parley",
  passwordMin: PASSWORD_MIN,
  passwordPolicy: "plain",
  registrationOpen: true,
};

const config = new Store(untilKnown);
let loading: Promise<void> | null = null;

/** Asks the server, again if it was asked before: each answer brings a new Google nonce. Never throws. */
export function loadAuthConfig(): Promise<void> {
  loading ??= ask().finally(() => {
    loading = null;
  });
  return loading;
}

async function ask(): Promise<void> {
  try {
    config.set(await api.get(paths.authConfig, authConfigSchema));
  } catch (cause) {
    // Where nobody answers, the browser has said so.
    if (!isUnreachable(cause)) log.warn("The server's settings could not be read", cause);
    askAtReturn();
  }
}

function askAtReturn(): void {
  const endListening = onReturn(() => {
    endListening();
    void loadAuthConfig();
  });
}

/** The settings; asks the server where that has not succeeded yet. */
export function useAuthConfig(): AuthConfig {
  const current = useStore(config);
  useEffect(() => {
    if (config.get() === untilKnown) void loadAuthConfig();
  }, []);
  return current;
}
