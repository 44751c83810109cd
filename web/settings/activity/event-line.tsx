import {
  AtSign,
  CircleAlert,
  Fingerprint,
  KeyRound,
  Link2,
  LogIn,
  LogOut,
  MessageSquareText,
  ShieldCheck,
  ShieldOff,
  Trash2,
  User,
} from "lucide-react";
import { useTranslation } from "react-i18next";
import type { SecurityEvent, SecurityEventKind } from "#contract/accounts/sessions.ts";
import { useDeviceName } from "../../accounts/use-device-name.ts";
import { exactTime, timeOfDay } from "../../locales/times.ts";
import { cx } from "../../ui/components/cx.ts";
import { tooltip } from "../../ui/tooltips/tooltip.ts";

const icons: Record<SecurityEventKind, typeof User> = {
  registered: User,
  verified: AtSign,
  "signed-in": LogIn,
  "sign-in-failed": CircleAlert,
  "sign-in-throttled": CircleAlert,
  "signed-out": LogOut,
  "session-ended": LogOut,
  "other-sessions-ended": LogOut,
  "password-changed": KeyRound,
  "password-reset-asked": KeyRound,
  "password-reset": KeyRound,
  "password-set": KeyRound,
  "names-changed": User,
  "username-changed": User,
  "instructions-changed": MessageSquareText,
  "email-change-asked": AtSign,
  "email-change-cancelled": AtSign,
  "email-changed": AtSign,
  "email-change-undone": AtSign,
  "google-connected": Link2,
  "google-disconnected": Link2,
  "second-factor-on": ShieldCheck,
  "second-factor-off": ShieldOff,
  "second-factor-reset": ShieldOff,
  "second-factor-failed": CircleAlert,
  "second-factor-loss-asked": CircleAlert,
  "second-factor-loss-begun": ShieldOff,
  "second-factor-loss-stopped": ShieldCheck,
  "second-factor-lost": ShieldOff,
  "recovery-code-used": ShieldCheck,
  "recovery-codes-renewed": ShieldCheck,
  "remembered-browsers-ended": ShieldCheck,
  "passkey-added": Fingerprint,
  "passkey-removed": Fingerprint,
  "identity-connected": Link2,
  "identity-disconnected": Link2,
  "signed-out-by-provider": LogOut,
  "deletion-asked": Trash2,
  "deletion-cancelled": Trash2,
  disabled: CircleAlert,
  enabled: User,
};

/** Events that may be an attempt by another person. */
const alarming: ReadonlySet<SecurityEventKind> = new Set([
  "sign-in-failed",
  "sign-in-throttled",
  "second-factor-failed",
  "second-factor-loss-asked",
  "second-factor-loss-begun",
]);

/** Entry of the log. It is focusable, so that reading can continue there after more entries were loaded. */
export function EventLine({ event }: { event: SecurityEvent }) {
  const { t, i18n } = useTranslation("settings");
  const device = useDeviceName()(event);
  const { kind, at, ip } = event;
  const Icon = icons[kind];
  return (
    <li id={event.id} tabIndex={-1} className="flex items-start gap-3 rounded-control py-2">
      <Icon
        aria-hidden="true"
        className={cx(
          "mt-0.5 size-4 shrink-0",
          (Icon === LogIn || Icon === LogOut) && "rtl:-scale-x-100",
          alarming.has(kind) ? "text-warning" : "text-muted",
        )}
      />
      <div className="min-w-0 flex-1">
        <p className="text-sm">{t(`activity.kind.${kind}`)}</p>
        <p className="mt-0.5 break-words text-muted text-sm">
          {device}
          {ip && <span className="tabular-nums"> · {ip}</span>}
        </p>
      </div>
      <time
        dateTime={new Date(at).toISOString()}
        {...tooltip(exactTime(at, i18n.language))}
        className="shrink-0 text-muted text-sm tabular-nums"
      >
        {timeOfDay(at, i18n.language)}
      </time>
    </li>
  );
}
