/** Lazy module of the preset menu: the form of a new preset, over the chat. */

import { conversationPaths } from "#contract/conversation/paths.ts";
import { presetSchema } from "#contract/conversation/presets.ts";
import { api } from "../api/client.ts";
import { modelsQuery } from "../queries/models-query.ts";
import { useQuery } from "../queries/use-query.ts";
import type { PresetSession } from "./preset-choice.ts";
import { PresetDialog } from "./preset-dialog.tsx";
import { choosePreset } from "./use-preset.ts";

type NewPresetDialogProps = { session: PresetSession; onClose: () => void };

/** Creates a preset and chooses it for the chat on the screen. */
export default function NewPresetDialog({ session, onClose }: NewPresetDialogProps) {
  const models = useQuery(modelsQuery);
  return (
    <PresetDialog
      edited="new"
      groups={models.value ?? []}
      onClose={onClose}
      onSave={async (given) => {
        const saved = await api.post(conversationPaths.presets, given, presetSchema);
        const { presets } = session;
        // The event of the new preset may have updated the list already.
        presets.take([...presets.current().filter(({ id }) => id !== saved.id), saved]);
        choosePreset(session, saved.id);
        // The list may lack other presets, if it could not be read before.
        void presets.load();
        onClose();
      }}
    />
  );
}
