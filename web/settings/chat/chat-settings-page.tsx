import "../../locales/preset-texts.ts";
import { InstructionsSection } from "./instructions-section.tsx";
import { PresetsSection } from "./presets-section.tsx";

/** What models are told besides the conversation. */
export function ChatSettingsPage() {
  return (
    <>
      <InstructionsSection />
      <PresetsSection />
    </>
  );
}
