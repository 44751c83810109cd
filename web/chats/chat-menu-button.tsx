import { Ellipsis } from "lucide-react";
import { useTranslation } from "react-i18next";
import { IconButton } from "../ui/components/icon-button.tsx";
import { useLazyModule } from "../ui/lazy/lazy-module.ts";
import { type RowMenu, useRowMenu } from "./list/use-row-menu.ts";
import { organiserModule } from "./organiser-module.ts";

type ChatMenuButtonProps = {
  chat: { id: string; title: string };
  where: "line" | "header";
  /** State of the menu, if the row around the button opens it too. */
  menu?: RowMenu;
  tabIndex?: number | undefined;
};

/** Button that loads and opens the menu of a chat. */
export function ChatMenuButton({ chat, where, menu, tabIndex }: ChatMenuButtonProps) {
  const { t } = useTranslation("chat");
  const own = useRowMenu();
  const { button, wasOpened, isOpen, offset, setOpen, reset } = menu ?? own;
  const parts = useLazyModule(organiserModule, wasOpened, reset);
  const label = t("sidebar.more", { title: chat.title });
  const buttonProps = {
    ref: button,
    label,
    hint: t("sidebar.moreHint"),
    shortcut: where === "line" ? "lineMenu" : undefined,
    icon: <Ellipsis aria-hidden="true" />,
    size: "small",
    tabIndex,
  } as const;
  if (parts) {
    const state = { isOpen, offset, onOpenChange: setOpen };
    return <parts.ChatMenu chat={chat} where={where} {...state} trigger={<IconButton {...buttonProps} />} />;
  }
  return <IconButton aria-haspopup="menu" aria-expanded={false} {...buttonProps} onClick={() => setOpen(true)} />;
}
