import { Navigate, Outlet, useLocation } from "react-router";
import type { SignInState } from "../accounts/path-after-sign-in.ts";
import { useSession } from "../accounts/session.ts";

/** Lets signed-in visitors through; the others sign in first, and then come to where they wanted. */
export function RequireAuth() {
  const { isSignedIn, ended } = useSession();
  const { pathname, search } = useLocation();
  if (isSignedIn) return <Outlet />;
  // Who signed out did not want to come here; the next person is not sent to the last one's chat.
  const state: SignInState | null = ended === "signed-out" ? null : { from: `${pathname}${search}` };
  return <Navigate to="/login" replace state={state} />;
}
