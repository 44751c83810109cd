import { LogOut } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Button } from "../ui/components/button.tsx";
import { PersonMenu } from "./person-menu.tsx";

type SidebarFooterProps = { username: string | null; onLogout: () => void };

export function SidebarFooter({ username, onLogout }: SidebarFooterProps) {
  const { t } = useTranslation("chat");
  return (
    <div className="flex items-center gap-2.5 border-hairline border-t px-2 py-2 pe-4 pb-[max(0.5rem,env(safe-area-inset-bottom))]">
      <PersonMenu username={username} />
      <Button variant="quiet" size="small" className="-me-2 text-muted" onClick={onLogout}>
        <LogOut aria-hidden="true" className="size-4 rtl:-scale-x-100" />
        {t("sidebar.logout")}
      </Button>
    </div>
  );
}
