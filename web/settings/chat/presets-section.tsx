import { Plus } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Preset } from "#contract/conversation/presets.ts";
import { PRESETS_MAX } from "#contract/limits.ts";
import { FailureBanner } from "../../forms/failure-banner.tsx";
import { FormStatus } from "../../forms/form-status.tsx";
import { LinesLoading } from "../../page/lines-loading.tsx";
import { LoadFailure } from "../../page/load-failure.tsx";
import { Section } from "../../page/section.tsx";
import { PresetDialog } from "../../presets/preset-dialog.tsx";
import { modelsQuery } from "../../queries/models-query.ts";
import { useQuery } from "../../queries/use-query.ts";
import { Button } from "../../ui/components/button.tsx";
import { EmptyState } from "../../ui/components/empty-state.tsx";
import { altKeyName } from "../../ui/keys/key-names.ts";
import { PresetLine } from "./preset-line.tsx";
import { usePresets } from "./use-presets.ts";

/** Message under the list; after a deletion with Undo. */
type Note = { text: string; deleted?: Preset };

/** The account's presets: create, edit, sort and delete. */
export function PresetsSection() {
  const { t } = useTranslation("presets");
  const list = usePresets();
  const models = useQuery(modelsQuery);
  const [edited, setEdited] = useState<Preset | "new" | null>(null);
  const [note, setNote] = useState<Note | null>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const focus = useFocusAfter();
  const presets = list.presets.value ?? [];
  const groups = models.value ?? [];

  const move = async (preset: Preset, to: number) => {
    if (to < 0 || to >= presets.length) return;
    setNote(null);
    if (await list.move(preset, to)) {
      setNote({ text: t("list.moved", { name: preset.name, place: to + 1, count: presets.length }) });
    }
  };
  const duplicate = async (preset: Preset) => {
    setNote(null);
    if (await list.duplicate(preset)) setNote({ text: t("list.duplicated", { name: preset.name }) });
  };
  const remove = async (preset: Preset) => {
    setNote(null);
    // The item is removed with its focused button.
    heading.current?.focus({ preventScroll: true });
    if (await list.remove(preset)) setNote({ text: t("list.deleted", { name: preset.name }), deleted: preset });
  };
  const restore = async (preset: Preset) => {
    if (!(await list.restore(preset))) return;
    setNote({ text: t("list.restored", { name: preset.name }) });
    focus(`preset-${preset.id}`);
  };

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
        list.presets.value !== null &&
        presets.length < PRESETS_MAX && (
          <Button variant="secondary" size="small" onClick={() => setEdited("new")}>
            <Plus aria-hidden="true" className="size-4" />
            {t("form.add")}
          </Button>
        )
      }
    >
      {list.failure && (
        <div className="px-4 pt-4 sm:px-5">
          <FailureBanner failure={list.failure} />
        </div>
      )}
      {list.presets.error !== null && (
        <div className="p-4 sm:p-5">
          <LoadFailure error={list.presets.error} onRetry={list.presets.reload} />
        </div>
      )}
      {list.presets.value === null && list.presets.error === null && <LinesLoading lines={2} />}
      {list.presets.value !== null && presets.length === 0 && (
        <EmptyState title={t("list.empty")} text={t("list.emptyText")} className="px-6 py-10" />
      )}
      {presets.length > 0 && (
        <ol className="divide-y divide-hairline">
          {presets.map((preset, index) => (
            <PresetLine
              key={preset.id}
              preset={preset}
              index={index}
              isLast={index === presets.length - 1}
              groups={groups}
              onEdit={() => setEdited(preset)}
              onMove={(to) => void move(preset, to)}
              onDuplicate={() => void duplicate(preset)}
              onDelete={() => void remove(preset)}
            />
          ))}
        </ol>
      )}
      <div
        className={note === null ? "sr-only" : "flex items-center gap-3 border-hairline border-t px-4 py-2.5 sm:px-5"}
      >
        <FormStatus text={note?.text ?? null} />
        {note?.deleted && (
          <Button
            variant="secondary"
            size="small"
            className="ms-auto"
            onClick={() => note.deleted && void restore(note.deleted)}
          >
            {t("list.undo")}
          </Button>
        )}
      </div>
      <PresetDialog
        edited={edited}
        groups={groups}
        onClose={() => setEdited(null)}
        onSave={async (given, changed) => {
          const isNew = edited === "new" || edited === null;
          const saved = await list.save(isNew ? null : edited, given, changed);
          setEdited(null);
          setNote({ text: t(isNew ? "form.added" : "form.changed", { name: saved.name }) });
        }}
      />
    </Section>
  );
}

/** Returns a function that focuses an element by id after the next render. */
function useFocusAfter(): (id: string) => void {
  const [wanted, setWanted] = useState<{ id: string } | null>(null);
  useEffect(() => {
    if (wanted) document.getElementById(wanted.id)?.focus();
  }, [wanted]);
  return (id) => setWanted({ id });
}
