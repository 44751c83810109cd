import { useSession } from "../accounts/session/session.ts";
import { lazyModule, useLazyModule } from "../ui/lazy/lazy-module.ts";

const wordsModule = lazyModule(() => import("../notice/administrator-words.tsx"));

/** Words for administrators: the remedy of a failure, else the card with the first steps on an empty chat. */
export function AdministratorWords({ failure }: { failure?: string | undefined }) {
  const role = useSession().user?.role;
  const words = useLazyModule(wordsModule, role === "owner" || role === "administrator");
  return words && (failure ? <words.ProviderAdvice code={failure} /> : role === "owner" && <words.SetupCard />);
}
