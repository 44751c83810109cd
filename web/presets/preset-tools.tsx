import { memo } from "react";
import presets from "../locales/en/presets.json";
import { registerTexts } from "../locales/i18n.ts";
import { InstructionsMark } from "./instructions-mark.tsx";
import type { PresetSession } from "./preset-choice.ts";
import { PresetMenu } from "./preset-menu.tsx";

registerTexts("presets", presets);

/**
 * What says in the box of a chat (null: of the one that is still to be made) what its models are told. Not painted for
 * the letters of that box.
 */
export default memo(function PresetTools({ chat, session }: { chat: string | null; session: PresetSession }) {
  return (
    <>
      <PresetMenu session={session} />
      {chat !== null && <InstructionsMark chat={chat} />}
    </>
  );
});
