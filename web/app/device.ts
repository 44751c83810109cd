import { followKeyboard } from "../ui/keys/virtual-keyboard.ts";
import { requestBuildCache } from "./request-build-cache.ts";

/** What the device brings along, once the page is there: a keyboard on the screen, and room to keep this build. */
export function settleIn(): void {
  followKeyboard();
  // In development there is no build.
  if (import.meta.env.PROD) void requestBuildCache();
}
