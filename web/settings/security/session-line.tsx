import { Monitor, Smartphone, Terminal } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { AccountSession } from "#contract/accounts/sessions.ts";
import { useDeviceName } from "../../accounts/use-device-name.ts";
import { TimeAgo } from "../../page/time-ago.tsx";
import { Button } from "../../ui/components/button.tsx";

type SessionLineProps = {
  session: AccountSession;
  isBusy: boolean;
  /** Whether this or another session is being ended. */
  isHeld: boolean;
  onEnd: () => void;
};

const HANDHELD = /^(android|ios|ipados|windows phone)/i;

function iconOf({ browser, system }: AccountSession) {
  if (HANDHELD.test(system)) return Smartphone;
  return browser !== "" && system === "" ? Terminal : Monitor;
}

export function SessionLine({ session, isBusy, isHeld, onEnd }: SessionLineProps) {
  const { t } = useTranslation("settings");
  const device = useDeviceName()(session);
  const Icon = iconOf(session);
  const { ip, method, isCurrent, createdAt, lastSeenAt } = session;
  const label = ip ? t("sessions.endLabelWithIp", { device, ip }) : t("sessions.endLabel", { device });
  return (
    <li className="grid grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-x-3 px-4 py-4 sm:gap-x-4 sm:px-5">
      <span
        aria-hidden="true"
        className="row-span-2 flex size-9 items-center justify-center self-start rounded-control bg-sunken text-muted"
      >
        <Icon className="size-4.5" />
      </span>
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium text-sm">
        <span className="min-w-0 break-words">{device}</span>
        {isCurrent && (
          <span className="rounded-full bg-accent-soft px-2 py-0.5 text-accent text-xs">{t("sessions.current")}</span>
        )}
      </p>
      {!isCurrent && (
        <Button
          variant="secondary"
          size="small"
          className="sm:row-span-2"
          aria-label={label}
          busy={isBusy}
          aria-disabled={isHeld || undefined}
          onClick={onEnd}
        >
          {t("sessions.end")}
        </Button>
      )}
      <p className="col-start-2 col-end-[-1] mt-0.5 break-words text-muted text-sm leading-text sm:col-end-3">
        {isCurrent ? (
          t("sessions.active")
        ) : (
          <TimeAgo at={lastSeenAt} sentence={(time) => t("sessions.lastSeen", { time })} />
        )}
        {ip && <span className="tabular-nums"> · {ip}</span>}
        <TimeAgo
          at={createdAt}
          className="block"
          sentence={(time) => t("sessions.firstSeen", { time, method: t(`sessions.method.${method}`) })}
        />
      </p>
    </li>
  );
}
