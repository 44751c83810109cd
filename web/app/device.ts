import { followPreferences } from "../accounts/account-preferences.ts";
import { followKeyboard } from "../ui/keys/virtual-keyboard.ts";
import { refuseDrops } from "../ui/refuse-drops.ts";
import { requestBuildCache } from "./request-build-cache.ts";

/**
 * Starts features that no first paint needs: the account's preferences, the virtual keyboard's inset, the refusal of
 * dropped files, and the cache of this build.
 */
export function settleIn(): void {
  followPreferences();
  followKeyboard();
  refuseDrops();
  // No build exists in development.
  if (import.meta.env.PROD) void requestBuildCache();
}
