/** Supported languages as BCP 47 tags, each with its native name, in the order in which they are offered. */
export const languages = [
  { tag: "en", name: "English" },
  { tag: "de", name: "Deutsch" },
  { tag: "fr", name: "Français" },
  { tag: "es", name: "Español" },
  { tag: "pt-BR", name: "Português (Brasil)" },
  { tag: "ja", name: "日本語" },
  { tag: "zh-CN", name: "简体中文" },
  { tag: "ar", name: "العربية", isRightToLeft: true },
] as const satisfies readonly { tag: string; name: string; isRightToLeft?: true }[];

export type Language = (typeof languages)[number]["tag"];

export const isRightToLeft = (tag: string): boolean =>
  languages.some((language) => language.tag === tag && "isRightToLeft" in language);
