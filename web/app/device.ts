import { followKeyboard } from "../ui/keys/virtual-keyboard.ts";
import { requestBuildCache } from "./request-build-cache.ts";

/** Starts device features once the page is loaded: the virtual keyboard's inset and the cache of this build. */
export function settleIn(): void {
  followKeyboard();
  // No build exists in development.
  if (import.meta.env.PROD) void requestBuildCache();
}
