import { Download } from "lucide-react";
import { cloneElement, type ReactElement, useState } from "react";
import { useTranslation } from "react-i18next";
import { organiserModule } from "../../chats/organiser-module.ts";
import { IconButton, type IconButtonProps } from "../../ui/components/icon-button.tsx";
import { MenuItem } from "../../ui/components/menu.tsx";
import { OpenedMenu } from "../../ui/lazy/opened-menu.tsx";
import { useIsTemporary } from "../chat-session.ts";

const formats = ["docx", "markdown", "html"] as const;

/** Button for the menu of the formats in which an answer is saved as a file. The server has no temporary answer. */
export function AnswerDownload({ chat, message }: { chat: string; message: string }) {
  const { t } = useTranslation("branches");
  const [opened, setOpened] = useState<"never" | "by pointer" | "by key">("never");
  if (useIsTemporary()) return null;
  const opener: ReactElement<IconButtonProps> = (
    <IconButton
      label={t("download.label")}
      icon={<Download aria-hidden="true" />}
      size="small"
      aria-haspopup="menu"
      className="data-[state=open]:bg-hover [&_svg]:size-4"
    />
  );
  // The menu is rendered when it is first opened, because every answer has one. A key press has a click count of 0.
  if (opened === "never") {
    return cloneElement(opener, { onClick: ({ detail }) => setOpened(detail === 0 ? "by key" : "by pointer") });
  }
  const save = async (format: (typeof formats)[number]) => {
    const organiser = await organiserModule.ask();
    await organiser?.exportChat(chat, format, { message });
  };
  return (
    <OpenedMenu trigger={opener} isByKey={opened === "by key"} align="start" aria-label={t("download.label")}>
      {formats.map((format) => (
        <MenuItem key={format} onSelect={() => void save(format)}>
          {t(`download.${format}`)}
        </MenuItem>
      ))}
    </OpenedMenu>
  );
}
