import { ChartNoAxesColumn } from "lucide-react";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { cx } from "../../ui/components/cx.ts";
import { IconButton } from "../../ui/components/icon-button.tsx";
import { lazyModule, useLazyModule } from "../../ui/lazy/lazy-module.ts";
import { useIsTemporary } from "../chat-session.ts";

const usageModule = lazyModule(() => import("../../usage/message-usage.tsx"), "after-chat");

/** Button for the usage of an answer; its content is loaded on request, because few use it. */
export function UsageButton({ chat, message }: { chat: string; message: string }) {
  const { t } = useTranslation("chat");
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  const usage = useLazyModule(usageModule, isOpen, () => setIsOpen(false));
  // The usage of a temporary answer is not stored with it.
  if (useIsTemporary()) return null;
  return (
    <>
      <IconButton
        ref={button}
        label={t("messages.usage")}
        aria-expanded={isOpen}
        aria-haspopup="dialog"
        icon={<ChartNoAxesColumn aria-hidden="true" />}
        size="small"
        className={cx("[&_svg]:size-4", isOpen && "bg-hover")}
        onClick={() => setIsOpen(!isOpen)}
      />
      {usage && <usage.default chat={chat} message={message} anchor={button} onClose={() => setIsOpen(false)} />}
    </>
  );
}
