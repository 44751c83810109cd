import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { useSession } from "../../accounts/session/session.ts";
import { tabTools } from "../../api/events/tab-tools.ts";
import { notificationSetting } from "../../chats/waiting/notification-setting.ts";
import waiting from "../../locales/en/waiting.json";
import { registerTexts } from "../../locales/i18n.ts";
import { Section } from "../../page/section.tsx";
import { useStore } from "../../store/use-store.ts";
import { SwitchRow } from "./switch-row.tsx";

registerTexts("waiting", waiting);

/** Without {@link tabTools} several tabs would show the same notification. */
const isSupported = () => typeof Notification === "function" && tabTools() !== null;

/** The switch of notifications in this browser; nothing where the browser has none. */
export function NotificationsSection() {
  const account = useSession().user?.id;
  return account !== undefined && isSupported() && <NotificationsSwitch account={account} />;
}

function NotificationsSwitch({ account }: { account: string }) {
  const { t } = useTranslation("waiting");
  const isChosen = useStore({ subscribe: notificationSetting.subscribe, get: () => notificationSetting.isOn(account) });
  const { permission, request } = useNotificationPermission();
  const change = async (isOn: boolean) => {
    const isAllowed = !isOn || (await request()) === "granted";
    notificationSetting.set(account, isOn && isAllowed);
  };
  return (
    <Section title={t("title")}>
      <SwitchRow
        title={t("label")}
        text={t("text")}
        status={permission === "denied" ? t("denied") : ""}
        isOn={isChosen && permission === "granted"}
        onChange={(isOn) => void change(isOn)}
      />
    </Section>
  );
}

/** Returns the browser's permission, which the person can change in the browser too, and a function that requests it. */
function useNotificationPermission() {
  const [permission, setPermission] = useState(() => Notification.permission);
  useEffect(() => {
    const read = () => setPermission(Notification.permission);
    let status: PermissionStatus | undefined;
    let isMounted = true;
    // Not every browser can report changes: there the next visit of the page reads them.
    navigator.permissions?.query({ name: "notifications" }).then(
      (found) => {
        if (!isMounted) return;
        status = found;
        status.addEventListener("change", read);
      },
      () => undefined,
    );
    return () => {
      isMounted = false;
      status?.removeEventListener("change", read);
    };
  }, []);
  const request = async () => {
    const answer = await Notification.requestPermission();
    setPermission(answer);
    return answer;
  };
  return { permission, request };
}
