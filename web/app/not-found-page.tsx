import { useTranslation } from "react-i18next";
import { Link, useLocation } from "react-router";
import { EmptyMark } from "../ui/components/empty-state.tsx";
import { textLink } from "../ui/components/text-link.ts";
import { MessagePage } from "./message-page.tsx";

export function NotFoundPage() {
  const { t } = useTranslation("app");
  const { pathname } = useLocation();
  return (
    <MessagePage
      picture={<EmptyMark drawing="unanswered" className="mb-8 size-16" />}
      title={t("notFoundTitle")}
      text={t("notFoundText", { path: pathname })}
      action={
        <Link to="/chat" className={textLink}>
          {t("notFoundAction")}
        </Link>
      }
    />
  );
}
