import { useSession } from "./session/session.ts";

/** Hidden username field, from which password managers read the account of a password form. */
export function UsernameForManagers() {
  const { user } = useSession();
  return <input type="text" autoComplete="username" value={user?.username ?? ""} readOnly hidden />;
}
