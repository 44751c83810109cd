import { useStore } from "../../store/use-store.ts";
import { type Appearance, currentAppearance, subscribeAppearance } from "../../ui/appearance/appearance.ts";

/** What is chosen now, here or in another tab. */
export function useAppearance(): Appearance {
  useStore({ subscribe: subscribeAppearance, get: () => JSON.stringify(currentAppearance()) });
  return currentAppearance();
}
