import { Check, Copy } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Button, type ButtonProps } from "../ui/components/button.tsx";
import { notify } from "../ui/notifications/notify.ts";
import { useCopy } from "../ui/use-copy.ts";
import { writeClipboard } from "../ui/write-clipboard.ts";

type CopyButtonProps = Pick<ButtonProps, "variant" | "size" | "className" | "ref"> & {
  url: string;
  /** Accessible name; by default the visible text. */
  label?: string;
};

/** Button that copies the address of a link, and says so. */
export function CopyButton({ url, label, ...button }: CopyButtonProps) {
  const { t } = useTranslation("shares");
  const { isCopied, copy } = useCopy(async (text) => {
    const isDone = await writeClipboard(text);
    if (!isDone) notify("error", t("notCopied"));
    return isDone;
  });
  const Icon = isCopied ? Check : Copy;
  return (
    <>
      <Button aria-label={label} onClick={() => copy(url)} {...button}>
        <Icon aria-hidden="true" className="size-4" />
        {t(isCopied ? "copied" : "copy")}
      </Button>
      <span role="status" className="sr-only">
        {isCopied && t("copied")}
      </span>
    </>
  );
}
