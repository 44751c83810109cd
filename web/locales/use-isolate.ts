import { useTranslation } from "react-i18next";
import { isolate } from "./direction.ts";

/** Returns a function that isolates a text, as `isolate` does, within sentences of the page's language. */
export function useIsolate(): (text: string) => string {
  const { i18n } = useTranslation();
  return (text) => isolate(text, i18n.dir() === "rtl");
}
