import { Check, Copy } from "lucide-react";
import { useTranslation } from "react-i18next";

/** Icon and text of a button that copies: `children`, and after the copy that it is done. */
export function CopyLabel({ isCopied, children }: { isCopied: boolean; children: string }) {
  const { t } = useTranslation("invitations");
  const Icon = isCopied ? Check : Copy;
  return (
    <>
      <Icon aria-hidden="true" className="size-4" />
      {isCopied ? t("created.copied") : children}
    </>
  );
}
