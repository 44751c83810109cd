/** Lazy module of the notices above a page. */

import { type ReactNode, useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { hasRole } from "#contract/accounts/roles.ts";
import { useSession } from "../accounts/session/session.ts";
import notice from "../locales/en/notice.json";
import { registerTexts } from "../locales/i18n.ts";
import { announceConnectedModels } from "./connected-models.ts";
import { NoticeStrip } from "./notice-strip.tsx";
import { NoticeText } from "./notice-text.tsx";
import { useNoticesHeight } from "./use-notices-height.ts";
import { useSiteNotice } from "./use-site-notice.ts";

registerTexts("notice", notice);

/** The notice to everybody, and for owners the notifications of connected models. */
export function SiteNotices({ isInChat }: { isInChat: boolean }) {
  const isOwner = hasRole(useSession().user?.role ?? "person", "owner");
  const { notice: shown, dismiss } = useSiteNotice();
  useEffect(() => (isOwner ? announceConnectedModels() : undefined), [isOwner]);
  const strip = shown && (
    <NoticeStrip onDismiss={dismiss}>
      <NoticeText text={shown.text} />
    </NoticeStrip>
  );
  if (!isInChat) return strip && <Labelled>{strip}</Labelled>;
  return <AboveChat>{strip}</AboveChat>;
}

function Labelled({ children }: { children: ReactNode }) {
  const { t } = useTranslation("notice");
  return (
    <section aria-label={t("label")} className="print:hidden">
      {children}
    </section>
  );
}

/** Fixed at the top of the window. The chat, which is as high as the window, leaves its height free. */
function AboveChat({ children }: { children: ReactNode }) {
  const { t } = useTranslation("notice");
  const box = useRef<HTMLElement>(null);
  useNoticesHeight(box);
  return (
    <section ref={box} aria-label={t("label")} className="fixed inset-x-0 top-0 z-20 bg-page print:hidden">
      {children}
    </section>
  );
}
