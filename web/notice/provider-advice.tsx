import { useTranslation } from "react-i18next";
import { useLocation } from "react-router";
import notice from "../locales/en/notice.json";
import { registerTexts } from "../locales/i18n.ts";
import { Link } from "../ui/components/link.tsx";
import { textLink } from "../ui/components/text-link.ts";

registerTexts("notice", notice);

/** Failures that administrators can put right. */
const curable = [
  ...(["assistant-misconfigured", "assistant-no-credit", "assistant-model-gone", "assistant-unsuited"] as const),
];

/** For administrators, below an answer that failed: how that is put right, with a link to the test of the provider. */
export function ProviderAdvice({ code }: { code: string }) {
  const { t } = useTranslation("notice");
  const { pathname, search } = useLocation();
  const found = curable.find((each) => each === code);
  if (!found) return null;
  return (
    <p className="mt-1 text-pretty text-muted text-sm leading-text print:hidden">
      {t(`advice.${found}`)}{" "}
      <Link to="/administration/overview#providers" state={{ from: `${pathname}${search}` }} className={textLink}>
        {t("openTest")}
      </Link>
    </p>
  );
}
