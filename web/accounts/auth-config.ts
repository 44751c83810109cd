/** Public configuration of the server: product name, rules, Google sign-in. A store outside React. */

import { useEffect } from "react";
import { type AuthConfig, authConfigSchema } from "#contract/accounts/accounts.ts";
import { accountPaths } from "#contract/accounts/paths.ts";
import { api } from "../api/client.ts";
import { defaultConfig } from "../api/default-config.ts";
import { onReturn } from "../api/on-return.ts";
import { isUnreachable } from "../api/problem-text.ts";
import { log } from "../log.ts";
import { Store } from "../store/store.ts";
import { useStore } from "../store/use-store.ts";

const config = new Store(defaultConfig);
let loading: Promise<void> | null = null;

/** Loads the configuration, also repeatedly: each response has a new Google nonce. Never throws. */
export function loadAuthConfig(): Promise<void> {
  loading ??= ask().finally(() => {
    loading = null;
  });
  return loading;
}

async function ask(): Promise<void> {
  try {
    config.set(await api.get(accountPaths.authConfig, authConfigSchema));
  } catch (cause) {
    // The browser logs an unreachable server itself.
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

/** Returns the configuration that is known now, for code outside React. */
export const currentAuthConfig = config.get;

/** Returns the configuration; loads it if that has not succeeded yet. */
export function useAuthConfig(): AuthConfig {
  const current = useStore(config);
  useEffect(() => {
    if (config.get() === defaultConfig) void loadAuthConfig();
  }, []);
  return current;
}
