import { useTranslation } from "react-i18next";

/** Focus targets in the main landmark: the page's title, a scrollable region or a text box. */
const CONTENT = "main [tabindex], main textarea";

/** Skip link past the navigation: the first stop of Tab, visible only while it has the focus. */
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
