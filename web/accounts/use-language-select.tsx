import type { ComponentProps } from "react";
import { useTranslation } from "react-i18next";
import { chooseLanguage, useLanguage } from "../locales/language.ts";
import { languages } from "../locales/supported-languages.ts";
import { notify } from "../ui/notifications/notify.ts";

const OWN = "";

/**
 * Returns the props of a `select` that changes the language at once; each language has its native name. `hasOwn`: also
 * offers the browser's own language.
 */
export function useLanguageSelect(hasOwn = false): ComponentProps<"select"> {
  const { t } = useTranslation("app");
  const { language, chosen } = useLanguage();
  const choose = (value: string) => {
    const tag = languages.find((each) => each.tag === value)?.tag ?? null;
    chooseLanguage(tag).catch(() => notify("error", t("failure.part")));
  };
  return {
    "aria-label": t("language.label"),
    value: hasOwn ? (chosen ?? OWN) : language,
    onChange: (event) => choose(event.target.value),
    children: (
      <>
        {hasOwn && <option value={OWN}>{t("language.own")}</option>}
        {languages.map(({ tag, name }) => (
          <option key={tag} value={tag} lang={tag}>
            {name}
          </option>
        ))}
      </>
    ),
  };
}
