/** Lazy module of the notices above a page. */

import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { hasRole } from "#contract/roles.ts";
import { useSession } from "../accounts/session/session.ts";
import notice from "../locales/en/notice.json";
import { registerTexts } from "../locales/i18n.ts";
import { NoticeBanner } from "./notice-banner.tsx";
import { SetupHint } from "./setup-hint.tsx";
import { useSiteNotice } from "./use-site-notice.ts";

registerTexts("notice", notice);

/** Above the messages, which scroll under it. The height of the header is left free. */
const floating =
  "pointer-events-none fixed end-4 start-4 top-[calc(4rem+env(safe-area-inset-top))] z-20 sm:start-auto sm:w-104";
const above = "mx-auto w-full max-w-[56rem] px-4 pt-[max(0.75rem,env(safe-area-inset-top))] pb-3 sm:px-8";

/** The notice to everybody and, in the chat, the hint to the first steps for owners. */
export function SiteNotices({ isInChat }: { isInChat: boolean }) {
  const { t } = useTranslation("notice");
  const { user } = useSession();
  const { notice: shown, dismiss } = useSiteNotice();
  const banner = shown && <NoticeBanner text={shown.text} onDismiss={dismiss} />;
  const label = t("label");
  if (!isInChat) {
    return (
      banner && (
        <section aria-label={label} className={`${above} print:hidden`}>
          {banner}
        </section>
      )
    );
  }
  return (
    <section aria-label={label} className={`${floating} flex flex-col gap-2 print:hidden`}>
      {banner && <Surface>{banner}</Surface>}
      {hasRole(user?.role ?? "person", "owner") && <SetupHint Surface={Surface} />}
    </section>
  );
}

/** Opaque ground of a banner, whose own colour is translucent. */
function Surface({ children }: { children: ReactNode }) {
  return <div className="pointer-events-auto rounded-control bg-raised shadow-float">{children}</div>;
}
