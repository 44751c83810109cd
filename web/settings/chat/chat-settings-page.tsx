import presets from "../../locales/en/presets.json";
import { registerTexts } from "../../locales/i18n.ts";
import { InstructionsSection } from "./instructions-section.tsx";
import { PresetsSection } from "./presets-section.tsx";

registerTexts("presets", presets);

/** Settings of the context that models receive besides the conversation. */
export function ChatSettingsPage() {
  return (
    <>
      <InstructionsSection />
      <PresetsSection />
    </>
  );
}
