import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { textLink } from "../../ui/components/text-link.ts";

/** At the end of a screen, for those who know their password after all. */
export function BackToSignIn() {
  const { t } = useTranslation("accounts");
  return (
    <p className="mt-8 text-sm">
      <Link to="/login" className={textLink}>
        {t("forgot.back")}
      </Link>
    </p>
  );
}
