import { useTranslation } from "react-i18next";
import { useLocation } from "react-router";
import { useAuthConfig } from "../accounts/auth-config.ts";
import { EmptyMark } from "../ui/components/empty-state.tsx";
import { Link } from "../ui/components/link.tsx";
import { textLink } from "../ui/components/text-link.ts";
import { Wordmark } from "../ui/components/wordmark.tsx";
import { MessagePage } from "./message-page.tsx";

export function NotFoundPage() {
  const { t } = useTranslation("app");
  const { pathname } = useLocation();
  const { productName } = useAuthConfig();
  return (
    <MessagePage
      picture={
        <>
          <Link to="/chat" className="mb-12 rounded-small">
            <Wordmark name={productName} />
          </Link>
          <EmptyMark drawing="unanswered" className="mb-8 size-16" />
        </>
      }
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
