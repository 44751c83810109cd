import { useTranslation } from "react-i18next";
import type { AttachedFile } from "#contract/files/files.ts";
import { sizeText } from "../locales/size-text.ts";
import { useIsolate } from "../locales/use-isolate.ts";
import { shownKindOf } from "./file-kind.tsx";

type Facts = Pick<AttachedFile, "name" | "type" | "size"> & { pages?: number | undefined };

/** Returns kind, size and pages of a file on one line, such as `PDF · 1.2 MB · 3 pages`. */
export function useFileFacts({ name, type, size, pages }: Facts): string {
  const { t, i18n } = useTranslation("files");
  const isolate = useIsolate();
  const facts = [t(`kinds.${shownKindOf(type, name)}`), sizeText(size, i18n.language)];
  if (pages) facts.push(t("pages", { count: pages }));
  // In an Arabic line, "PDF" and the number behind it would become one run from left to right.
  return facts.map(isolate).join(" · ");
}
