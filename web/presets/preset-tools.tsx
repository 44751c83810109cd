import { ScrollText } from "lucide-react";
import { memo } from "react";
import { useTranslation } from "react-i18next";
import { chatEvents } from "../chats/state/chats-slice.ts";
import { useChatsDispatch, useChatsSelector } from "../chats/state/chats-store.ts";
import presets from "../locales/en/presets.json";
import { registerTexts } from "../locales/i18n.ts";
import { IconButton } from "../ui/components/icon-button.tsx";
import { EffortMenu } from "./effort-menu.tsx";
import type { PresetSession } from "./preset-choice.ts";
import { PresetMenu } from "./preset-menu.tsx";
import { ToolsMenu } from "./tools/tools-menu.tsx";

registerTexts("presets", presets);

/**
 * Controls in the box of a chat for its effort, tools, preset and instructions. `chat` null: the chat that is not created yet.
 * Memoized: typing in the box does not render them.
 */
export default memo(function PresetTools({ chat, session }: { chat: string | null; session: PresetSession }) {
  return (
    <>
      <EffortMenu session={session} />
      <ToolsMenu session={session} />
      <PresetMenu session={session} />
      {chat !== null && <InstructionsMark chat={chat} />}
    </>
  );
});

/** Button that is shown if a chat has its own instructions, and opens them. */
function InstructionsMark({ chat }: { chat: string }) {
  const { t } = useTranslation("presets");
  const dispatch = useChatsDispatch();
  const hasInstructions = useChatsSelector(({ chats }) => Boolean(chats.conversations[chat]?.instructions));
  if (!hasInstructions) return null;
  return (
    <IconButton
      label={t("menu.mark")}
      icon={<ScrollText aria-hidden="true" />}
      size="small"
      className="[&_svg]:size-4"
      onClick={() => dispatch(chatEvents.organise({ dialog: { kind: "instructions", id: chat } }))}
    />
  );
}
