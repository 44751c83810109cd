import type { ComponentProps } from "react";
import { useTranslation } from "react-i18next";
import { chooseLanguage, useLanguage } from "../locales/language.ts";
import { languages } from "../locales/supported-languages.ts";
import { notify } from "../ui/notifications/notify.ts";

const OWN = "";

type Options = {
  /** Also offers the browser's own language. */
  hasOwn?: boolean;
  choose?: typeof chooseLanguage;
};

/** Returns the props of a `select` that changes the language at once; each language has its native name. */
export function useLanguageSelect(options: Options = {}): ComponentProps<"select"> {
  const { hasOwn = false, choose = chooseLanguage } = options;
  const { t } = useTranslation("app");
  const { language, chosen } = useLanguage();
  const chooseTag = (value: string) => {
    const tag = languages.find((each) => each.tag === value)?.tag ?? null;
    choose(tag).catch(() => notify("error", t("failure.part")));
  };
  return {
    "aria-label": t("language.label"),
    value: hasOwn ? (chosen ?? OWN) : language,
    onChange: (event) => chooseTag(event.target.value),
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
