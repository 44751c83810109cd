import { useTranslation } from "react-i18next";

/** What may take the focus in the main part of a page: its title, or what scrolls in it. */
const CONTENT = "main [tabindex], main textarea";

/** Past a navigation: the first thing that Tab comes to, seen only while it has the focus. */
export function SkipLink() {
  const { t } = useTranslation("app");
  return (
    <button
      type="button"
      className="not-focus-visible:sr-only fixed start-3 top-3 z-50 min-h-11 rounded-control bg-raised px-4 text-sm shadow-float"
      onClick={() => document.querySelector<HTMLElement>(CONTENT)?.focus()}
    >
      {t("skip")}
    </button>
  );
}
