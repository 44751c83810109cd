import { useEffect, useRef } from "react";
import { useLocation, useNavigate } from "react-router";
import { onSessionLost } from "../api/client.ts";

/** Where {@link RequireAuth} stands, or where nobody is signed in. */
const OTHERS_LEAD = /^\/(login|chat|settings)(\/|$)/;

/** A session that the server refuses leads to sign-in from every page; {@link RequireAuth} does so where it stands. */
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
