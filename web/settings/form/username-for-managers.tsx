import { useSession } from "../../accounts/session/session.ts";

/** Tells password managers whose password the form is about; nobody sees it. */
export function UsernameForManagers() {
  const { user } = useSession();
  return <input type="text" autoComplete="username" value={user?.username ?? ""} readOnly hidden />;
}
