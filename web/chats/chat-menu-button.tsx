import { Ellipsis } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { IconButton } from "../ui/components/icon-button.tsx";
import { useLazyModule } from "../ui/lazy/lazy-module.ts";
import { organiserModule } from "./organiser-module.ts";

type ChatMenuButtonProps = {
  chat: { id: string; title: string };
  where: "line" | "header";
  className?: string;
};

/** Button that loads and opens the menu of a chat. */
export function ChatMenuButton({ chat, where, className }: ChatMenuButtonProps) {
  const { t } = useTranslation("chat");
  const [wasOpened, setOpened] = useState(false);
  const parts = useLazyModule(organiserModule, wasOpened, () => setOpened(false));
  const label = t("sidebar.more", { title: chat.title });
  const look = { label, icon: <Ellipsis aria-hidden="true" />, size: "small", className } as const;
  if (parts) return <parts.ChatMenu chat={chat} where={where} trigger={<IconButton {...look} />} />;
  return <IconButton aria-haspopup="menu" aria-expanded={false} {...look} onClick={() => setOpened(true)} />;
}
