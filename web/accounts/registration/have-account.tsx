import { useTranslation } from "react-i18next";
import { Link } from "../../ui/components/link.tsx";
import { textLink } from "../../ui/components/text-link.ts";

/** Link to sign-in at the end of a registration screen. */
export function HaveAccount() {
  const { t } = useTranslation("accounts");
  return (
    <p className="mt-8 text-muted text-sm">
      {t("register.haveAccount")}{" "}
      <Link to="/login" className={textLink}>
        {t("register.signIn")}
      </Link>
    </p>
  );
}
