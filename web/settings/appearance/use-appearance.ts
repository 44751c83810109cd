import { useSyncExternalStore } from "react";
import { type Appearance, currentAppearance, subscribeAppearance } from "../../ui/appearance/appearance.ts";

/** What is chosen now, here or in another tab. */
export function useAppearance(): Appearance {
  useSyncExternalStore(subscribeAppearance, () => JSON.stringify(currentAppearance()));
  return currentAppearance();
}
