import { Ellipsis } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { IconButton } from "../ui/icon-button.tsx";
import { loadOrganiser } from "./load-organiser.ts";

const ChatMenu = lazy(async () => ({ default: (await loadOrganiser()).ChatMenu }));

type ChatMenuButtonProps = {
  chat: { id: string; title: string };
  where: "line" | "header";
  className?: string;
};

/** Opens the menu of a chat; until then the menu costs nothing. */
export function ChatMenuButton({ chat, where, className }: ChatMenuButtonProps) {
  const { t } = useTranslation("chat");
  const [wasOpened, setOpened] = useState(false);
  const label = t("sidebar.more", { title: chat.title });
  const look = { label, icon: <Ellipsis aria-hidden="true" />, size: "small", className } as const;
  const closed = <IconButton aria-haspopup="menu" aria-expanded={false} {...look} onClick={() => setOpened(true)} />;
  if (!wasOpened) return closed;
  return (
    <Suspense fallback={closed}>
      <ChatMenu chat={chat} where={where} trigger={<IconButton {...look} />} />
    </Suspense>
  );
}
