import { Paperclip } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useAuthConfig } from "../../accounts/auth-config.ts";
import files from "../../locales/en/files.json";
import { registerTexts } from "../../locales/i18n.ts";
import { sizeText } from "../../locales/size-text.ts";

registerTexts("files", files);

/** Covers the window while files are dragged over it. It takes neither the pointer nor the focus. */
export default function DropOverlay() {
  const { t, i18n } = useTranslation("files");
  const { files: limits } = useAuthConfig();
  return (
    <div className="pointer-events-none fixed inset-0 z-40 flex animate-fade items-center justify-center bg-veil p-3 print:hidden">
      <div className="absolute inset-3 rounded-surface border-2 border-accent border-dashed" />
      <p className="flex items-center gap-3 rounded-surface border border-hairline bg-raised px-6 py-4 font-medium text-base shadow-float">
        <Paperclip aria-hidden="true" className="size-5 shrink-0 text-accent" />
        <span>
          {t("drop")}
          {limits && (
            <span className="block font-normal text-muted text-sm">
              {t("dropLimits", { max: limits.maxPerMessage, size: sizeText(limits.maxBytes, i18n.language) })}
            </span>
          )}
        </span>
      </p>
    </div>
  );
}
