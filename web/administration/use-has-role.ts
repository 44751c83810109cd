import { type AccountRole, hasRole } from "#contract/accounts/roles.ts";
import { useSession } from "../accounts/session/session.ts";

/** Returns whether the signed-in account has the rights of a role. */
export function useHasRole(required: AccountRole): boolean {
  const { user } = useSession();
  return hasRole(user?.role ?? "person", required);
}
