import { useEffect, useRef } from "react";
import { useLocation, useNavigate } from "react-router";
import { onSessionLost } from "../api/client.ts";

/** Paths that {@link RequireAuth} guards, or that need no session. */
const OTHERS_LEAD = /^\/(login|chat|settings)(\/|$)/;

/** Redirects to sign-in when the server refuses the session, on all pages that {@link RequireAuth} does not guard. */
export function SessionLostRedirect() {
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const path = useRef(pathname);
  useEffect(() => {
    path.current = pathname;
  }, [pathname]);
  useEffect(
    () =>
      onSessionLost(() => {
        if (!OTHERS_LEAD.test(path.current)) void navigate("/login");
      }),
    [navigate],
  );
  return null;
}
