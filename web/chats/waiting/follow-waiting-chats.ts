import { lazyModule } from "../../ui/lazy/lazy-module.ts";
import { notificationSetting } from "./notification-setting.ts";
import type { WaitingDeps, WaitingNotifications } from "./waiting-notifications.ts";

const notificationsModule = lazyModule(() => import("./waiting-notifications.ts"));

/** Shows notifications of chats that wait, while that is switched on in this browser. Returns the stop function. */
export function followWaitingChats(deps: WaitingDeps): () => void {
  let running: WaitingNotifications | null = null;
  const stop = () => {
    running?.dispose();
    running = null;
  };
  const apply = () => {
    if (!notificationSetting.isOn(deps.account)) return stop();
    const loaded = notificationsModule.get();
    if (loaded) running ??= new loaded.WaitingNotifications(deps);
    // A failed module is loaded again when the network may be back.
    else if (!notificationsModule.isMissing()) notificationsModule.load().catch(() => undefined);
  };
  const unsubscribe = [notificationSetting.subscribe(apply), notificationsModule.subscribe(apply)];
  apply();
  return () => {
    for (const end of unsubscribe) end();
    stop();
  };
}
