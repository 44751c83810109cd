import { Check } from "lucide-react";
import { useTranslation } from "react-i18next";
import { cx } from "../ui/components/cx.ts";
import { Option } from "./option.tsx";
import type { PaletteEntry } from "./palette-entry.ts";

/** Id of an entry's element, referenced by the field's `aria-activedescendant`. */
export const entryId = ({ id }: PaletteEntry) => `entry-${id}`;

type EntryListProps = { entries: readonly PaletteEntry[]; active: string | undefined; onPoint: (id: string) => void };

/** List of actions by groups. */
export function EntryList({ entries, active, onPoint }: EntryListProps) {
  const { t } = useTranslation("chat");
  const groups = [...Map.groupBy(entries, ({ group }) => group)];
  return groups.map(([group, those]) => (
    // biome-ignore lint/a11y/useSemanticElements: no other element groups the options of a listbox
    <div key={group} role="group" aria-label={group}>
      <GroupLabel>{group}</GroupLabel>
      {those.map((entry) => (
        <Option
          key={entry.id}
          id={entryId(entry)}
          isActive={entryId(entry) === active}
          onPoint={onPoint}
          onChoose={entry.choose}
          keys={entry.keys?.names}
          className={cx(
            "relative items-center gap-3 py-1.5 text-sm sm:min-h-9 pointer-coarse:min-h-11 [&_svg]:size-4 [&_svg]:shrink-0",
            entry.isDanger && "text-danger",
          )}
        >
          <span aria-hidden="true" className={cx(!entry.isDanger && "text-muted")}>
            {entry.icon}
          </span>
          <span dir="auto" className="own-way min-w-0 flex-1 truncate">
            {entry.label}
          </span>
          {entry.note && <span className="shrink-0 text-muted text-xs">{entry.note}</span>}
          {entry.isChosen && (
            <>
              <Check aria-hidden="true" className="text-accent" />
              <span className="sr-only">{t("sidebar.selected")}</span>
            </>
          )}
          {entry.keys && (
            <span aria-hidden="true" className="shrink-0 pointer-coarse:hidden">
              {entry.keys.shown}
            </span>
          )}
        </Option>
      ))}
    </div>
  ));
}

export function GroupLabel({ children }: { children: string }) {
  return (
    <p role="presentation" className="px-3 pt-1 pb-1.5 font-medium text-muted text-xs">
      {children}
    </p>
  );
}
