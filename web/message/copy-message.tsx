import { Check, Copy } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { MessagePart } from "#contract/conversation/parts.ts";
import { copyMessages } from "../markdown/copying/copying-module.ts";
import { IconButton } from "../ui/components/icon-button.tsx";
import { useCopy } from "../ui/use-copy.ts";

/** Class of a message's actions: visible on hover, with the focus or an open menu inside, or on touch screens. */
export const onApproach =
  "opacity-0 transition-opacity has-[:focus-visible]:opacity-100 has-[[data-state=open]]:opacity-100 group-hover/message:opacity-100 pointer-coarse:opacity-100";

type CopyMessageProps = {
  text: string;
  isAnswer?: boolean;
  /** Parts of an answer, whose sources are copied too. */
  parts?: readonly MessagePart[] | undefined;
  shortcut?: "copyAnswer" | undefined;
};

export function CopyMessage({ text, isAnswer = false, parts, shortcut }: CopyMessageProps) {
  const { t } = useTranslation("chat");
  const { isCopied, copy } = useCopy(
    isAnswer ? (words) => copyMessages([{ author: null, text: words, parts }]) : undefined,
  );
  return (
    <IconButton
      label={isCopied ? t("messages.copied") : t("messages.copy")}
      shortcut={shortcut}
      icon={isCopied ? <Check aria-hidden="true" /> : <Copy aria-hidden="true" />}
      size="small"
      className="[&_svg]:size-4"
      onClick={() => copy(text)}
    />
  );
}
