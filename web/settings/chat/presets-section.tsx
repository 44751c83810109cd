import { Plus } from "lucide-react";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Preset } from "#contract/conversation/presets.ts";
import { PRESETS_MAX } from "#contract/limits.ts";
import type { ModelGroup } from "#contract/models/models.ts";
import { FailureBanner } from "../../forms/failure-banner.tsx";
import { FormStatus } from "../../forms/form-status.tsx";
import { LinesLoading } from "../../page/lines-loading.tsx";
import { LoadFailure } from "../../page/load-failure.tsx";
import { Section } from "../../page/section.tsx";
import { PresetDialog } from "../../presets/preset-dialog.tsx";
import { toolGroupsQuery } from "../../presets/tools/tool-groups-query.ts";
import { modelsQuery } from "../../queries/models-query.ts";
import { useQuery } from "../../queries/use-query.ts";
import { Button } from "../../ui/components/button.tsx";
import { EmptyState } from "../../ui/components/empty-state.tsx";
import { altKeyName } from "../../ui/keys/key-names.ts";
import { PresetLine } from "./preset-line.tsx";
import { type NotedPresets, type PresetNote, useNotedPresets } from "./use-noted-presets.ts";

/** The account's presets: create, edit, sort and delete. */
export function PresetsSection() {
  const { t } = useTranslation("presets");
  const heading = useRef<HTMLHeadingElement>(null);
  const list = useNotedPresets(heading);
  const { presets, isLoaded, error, failure } = list;
  const groups = useQuery(modelsQuery).value ?? [];
  // Names the tools of presets.
  useQuery(
    toolGroupsQuery,
    presets.some(({ tools }) => tools !== undefined),
  );
  const [edited, setEdited] = useState<Preset | "new" | null>(null);
  return (
    <Section
      title={t("list.title")}
      text={
        <>
          {t("list.text")} <span className="pointer-coarse:hidden">{t("list.keys", { keys: altKeyName() })}</span>
        </>
      }
      headingRef={heading}
      action={
        isLoaded &&
        presets.length < PRESETS_MAX && (
          <Button variant="secondary" size="small" onClick={() => setEdited("new")}>
            <Plus aria-hidden="true" className="size-4" />
            {t("form.add")}
          </Button>
        )
      }
    >
      {failure && (
        <div className="px-4 pt-4 sm:px-5">
          <FailureBanner failure={failure} />
        </div>
      )}
      {error !== null && (
        <div className="p-4 sm:p-5">
          <LoadFailure error={error} onRetry={list.reload} />
        </div>
      )}
      {!isLoaded && error === null && <LinesLoading lines={2} />}
      {isLoaded && presets.length === 0 && (
        <EmptyState title={t("list.empty")} text={t("list.emptyText")} className="px-6 py-10" />
      )}
      <PresetLines list={list} groups={groups} onEdit={setEdited} />
      <NoteLine note={list.note} onRestore={list.restore} />
      <PresetDialog
        edited={edited}
        groups={groups}
        onClose={() => setEdited(null)}
        onSave={async (given, changed) => {
          await list.save(edited === "new" ? null : edited, given, changed);
          setEdited(null);
        }}
      />
    </Section>
  );
}

type PresetLinesProps = { list: NotedPresets; groups: readonly ModelGroup[]; onEdit: (preset: Preset) => void };

function PresetLines({ list: { presets, move, duplicate, remove }, groups, onEdit }: PresetLinesProps) {
  if (presets.length === 0) return null;
  return (
    <ol className="divide-y divide-hairline">
      {presets.map((preset, index) => (
        <PresetLine
          key={preset.id}
          preset={preset}
          index={index}
          isLast={index === presets.length - 1}
          groups={groups}
          onEdit={() => onEdit(preset)}
          onMove={(to) => void move(preset, to)}
          onDuplicate={() => void duplicate(preset)}
          onDelete={() => void remove(preset)}
        />
      ))}
    </ol>
  );
}

type NoteLineProps = { note: PresetNote | null; onRestore: (preset: Preset) => Promise<void> };

/** The note of the last change, as the last row of the card. */
function NoteLine({ note, onRestore }: NoteLineProps) {
  const { t } = useTranslation("presets");
  const deleted = note?.deleted;
  return (
    <div className={note === null ? "sr-only" : "flex items-center gap-3 border-hairline border-t px-4 py-2.5 sm:px-5"}>
      <FormStatus text={note?.text ?? null} />
      {deleted && (
        <Button variant="secondary" size="small" className="ms-auto" onClick={() => void onRestore(deleted)}>
          {t("list.undo")}
        </Button>
      )}
    </div>
  );
}
