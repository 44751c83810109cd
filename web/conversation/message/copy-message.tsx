import { Check, Copy } from "lucide-react";
import { useTranslation } from "react-i18next";
import { cx } from "../../ui/cx.ts";
import { IconButton } from "../../ui/icon-button.tsx";
import { useCopy } from "./use-copy.ts";

/** Shown when the message is pointed at, holds the focus, or on a screen that is touched. */
export const onApproach =
  "opacity-0 transition-opacity focus-visible:opacity-100 group-hover/message:opacity-100 pointer-coarse:opacity-100";

export function CopyMessage({ text, className }: { text: string; className: string }) {
  const { t } = useTranslation("chat");
  const { isCopied, copy } = useCopy();
  return (
    <IconButton
      label={isCopied ? t("messages.copied") : t("messages.copy")}
      title={t("messages.copy")}
      icon={isCopied ? <Check aria-hidden="true" /> : <Copy aria-hidden="true" />}
      size="small"
      className={cx("[&_svg]:size-4", className)}
      onClick={() => copy(text)}
    />
  );
}
