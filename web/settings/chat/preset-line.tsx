import { CopyPlus, Ellipsis, MoveDown, MoveUp, Pencil, Trash2 } from "lucide-react";
import type { KeyboardEvent } from "react";
import { useTranslation } from "react-i18next";
import type { Preset } from "#contract/conversation/presets.ts";
import type { ModelGroup } from "#contract/models/models.ts";
import { useIsolate } from "../../locales/use-isolate.ts";
import { nameOfModel } from "../../models/model-name.ts";
import { toolGroupName } from "../../presets/tools/tool-group-words.ts";
import { IconButton } from "../../ui/components/icon-button.tsx";
import { Menu, MenuContent, MenuItem, MenuSeparator, MenuTrigger } from "../../ui/components/menu.tsx";
import { altWith } from "../../ui/keys/key-names.ts";

type PresetLineProps = {
  preset: Preset;
  /** Index from 0. */
  index: number;
  isLast: boolean;
  groups: readonly ModelGroup[];
  onEdit: () => void;
  onMove: (to: number) => void;
  onDuplicate: () => void;
  onDelete: () => void;
};

export function PresetLine({ preset, index, isLast, groups, onEdit, onMove, ...actions }: PresetLineProps) {
  const { t } = useTranslation("presets");
  const isolate = useIsolate();
  const { name, model, temperature, effort, tools = [] } = preset;
  const about = [
    model === null ? t("list.ownModel") : nameOfModel(groups, model),
    ...(effort === undefined ? [] : [t("effort.named", { name: t(`effort.${effort}`) })]),
    ...tools.map(toolGroupName),
    ...(temperature === null ? [] : [t("list.warmth", { value: temperature })]),
  ];
  const onKeyDown = (event: KeyboardEvent) => {
    if (!event.altKey || (event.key !== "ArrowUp" && event.key !== "ArrowDown")) return;
    event.preventDefault();
    onMove(index + (event.key === "ArrowUp" ? -1 : 1));
  };
  return (
    <li className="flex items-center gap-x-1 py-2 ps-2 pe-2 sm:ps-3 sm:pe-3" onKeyDown={onKeyDown}>
      <button
        type="button"
        id={`preset-${preset.id}`}
        aria-describedby={`preset-${preset.id}-about`}
        className="min-w-0 flex-1 rounded-control px-2 py-1.5 text-start transition-colors hover:bg-hover"
        onClick={onEdit}
      >
        <span className="sr-only">{t("list.editNamed", { name })}</span>
        <span aria-hidden="true" className="flex items-baseline gap-2">
          <span dir="auto" className="own-way truncate font-medium text-sm">
            {name}
          </span>
          {index < 9 && (
            <kbd className="shrink-0 font-sans text-muted text-xs max-sm:hidden pointer-coarse:hidden">
              {altWith(index + 1)}
            </kbd>
          )}
        </span>
        <span
          aria-hidden="true"
          id={`preset-${preset.id}-about`}
          className="mt-0.5 line-clamp-1 text-muted text-sm [overflow-wrap:anywhere]"
        >
          {about.map(isolate).join(" · ")}
        </span>
      </button>
      <MoveButtons name={name} index={index} isLast={isLast} onMove={onMove} />
      <MoreMenu name={name} onEdit={onEdit} {...actions} />
    </li>
  );
}

type MoveButtonsProps = { name: string } & Pick<PresetLineProps, "index" | "isLast" | "onMove">;

/** Buttons that move a preset. They stay mounted at both ends of the list, so that the focus is not lost. */
function MoveButtons({ name, index, isLast, onMove }: MoveButtonsProps) {
  const { t } = useTranslation("presets");
  return (
    <>
      <IconButton
        label={t("list.up", { name })}
        icon={<MoveUp aria-hidden="true" />}
        size="small"
        aria-disabled={index === 0 || undefined}
        aria-keyshortcuts="Alt+ArrowUp"
        className="aria-disabled:opacity-35"
        onClick={() => onMove(index - 1)}
      />
      <IconButton
        label={t("list.down", { name })}
        icon={<MoveDown aria-hidden="true" />}
        size="small"
        aria-disabled={isLast || undefined}
        aria-keyshortcuts="Alt+ArrowDown"
        className="aria-disabled:opacity-35"
        onClick={() => onMove(index + 1)}
      />
    </>
  );
}

type MoreMenuProps = { name: string } & Pick<PresetLineProps, "onEdit" | "onDuplicate" | "onDelete">;

function MoreMenu({ name, onEdit, onDuplicate, onDelete }: MoreMenuProps) {
  const { t } = useTranslation("presets");
  return (
    <Menu modal={false}>
      <MenuTrigger asChild>
        <IconButton
          label={t("list.more", { name })}
          icon={<Ellipsis aria-hidden="true" />}
          size="small"
          className="data-[state=open]:bg-hover"
        />
      </MenuTrigger>
      <MenuContent align="end" aria-label={t("list.more", { name })}>
        <MenuItem icon={<Pencil aria-hidden="true" />} onSelect={onEdit}>
          {t("list.edit")}
        </MenuItem>
        <MenuItem icon={<CopyPlus aria-hidden="true" />} onSelect={onDuplicate}>
          {t("list.duplicate")}
        </MenuItem>
        <MenuSeparator />
        <MenuItem icon={<Trash2 aria-hidden="true" />} danger onSelect={onDelete}>
          {t("list.delete")}
        </MenuItem>
      </MenuContent>
    </Menu>
  );
}
