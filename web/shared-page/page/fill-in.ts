import { isolate } from "../../locales/direction.ts";
import { isRightToLeft, type Language } from "../../locales/supported-languages.ts";

/** Replaces each `{{name}}` of a text by its value, isolated to keep its direction; an unknown one by nothing. */
export function fillIn(text: string, values: Readonly<Record<string, string>>, language: Language): string {
  return text.replace(/\{\{(\w+)\}\}/g, (_, name: string) =>
    Object.hasOwn(values, name) ? isolate(String(values[name]), isRightToLeft(language)) : "",
  );
}
