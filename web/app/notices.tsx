import { useEffect } from "react";
import { currentSession, subscribeSession } from "../accounts/session/session.ts";
import { clearNotifications } from "../ui/notifications/notify.ts";
import { Toaster } from "../ui/notifications/toaster.tsx";

/** The notifications, on every page. They may name chats and addresses: none outlives the session that it is from. */
export function Notices() {
  useEffect(() => {
    let { token } = currentSession();
    return subscribeSession(() => {
      const before = token;
      token = currentSession().token;
      if (token !== before) clearNotifications();
    });
  }, []);
  return <Toaster />;
}
