import { useEffect } from "react";
import { Navigate, Outlet, useLocation } from "react-router";
import { useSession } from "../accounts/session/session.ts";
import type { SignInState } from "../accounts/sign-in/path-after-sign-in.ts";

const SETTLED_AFTER_MS = 2000;

/**
 * Lets signed-in visitors through; the others sign in first, and then come to where they wanted.
 * @param onIdle once somebody is in and the page has settled: the way out must not need a network
 */
export function RequireAuth({ onIdle }: { onIdle: () => void }) {
  const { isSignedIn, ended } = useSession();
  useEffect(() => {
    if (!isSignedIn) return;
    const timer = setTimeout(onIdle, SETTLED_AFTER_MS);
    return () => clearTimeout(timer);
  }, [isSignedIn, onIdle]);
  const { pathname, search } = useLocation();
  if (isSignedIn) return <Outlet />;
  // Who signed out did not want to come here; the next person is not sent to the last one's chat.
  const state: SignInState | null = ended === "signed-out" ? null : { from: `${pathname}${search}` };
  return <Navigate to="/login" replace state={state} />;
}
