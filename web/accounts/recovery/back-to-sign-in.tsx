import { useTranslation } from "react-i18next";
import { Link } from "../../ui/components/link.tsx";
import { textLink } from "../../ui/components/text-link.ts";

/** Link to sign-in at the end of a recovery screen. */
export function BackToSignIn() {
  const { t } = useTranslation("accounts");
  return (
    <p className="mt-8 text-sm">
      <Link to="/login" className={textLink}>
        {t("link.back")}
      </Link>
    </p>
  );
}
