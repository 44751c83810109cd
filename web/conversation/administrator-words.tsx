import { useSession } from "../accounts/session/session.ts";
import { lazyModule, useLazyModule } from "../ui/lazy/lazy-module.ts";

const wordsModule = lazyModule(() => import("../notice/administrator-words.tsx"));

/** Words for owners on an empty chat: the card with the first steps. */
export function AdministratorWords() {
  const words = useLazyModule(wordsModule, useSession().user?.role === "owner");
  return words && <words.SetupCard />;
}
