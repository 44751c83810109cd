import { ChevronRight } from "lucide-react";
import { useTranslation } from "react-i18next";
import { cx } from "../../ui/components/cx.ts";
import { ModelRowContent } from "./model-row.tsx";
import type { OptionRow } from "./model-sections.ts";
import { optionId } from "./option-id.ts";
import type { LaidRow } from "./row-layout.ts";
import { RowPin } from "./row-pin.tsx";
import type { ModelSearch } from "./use-model-search.ts";

type ModelListboxProps = { id: string; search: ModelSearch; value: string };

/** Listbox that renders only the rows near its visible part, each at its computed position. */
export function ModelListbox({ id, search, value }: ModelListboxProps) {
  const { t } = useTranslation("modelSearch");
  const { layout, rows, active } = search;
  return (
    <div
      ref={search.scroller}
      id={id}
      role="listbox"
      tabIndex={0}
      aria-label={t("list")}
      aria-activedescendant={active && optionId(id, active)}
      className="min-h-0 flex-1 overflow-y-auto overscroll-contain p-1.5 focus-visible:-outline-offset-2"
      onScroll={search.follow}
      onKeyDown={search.press}
    >
      <div role="presentation" className="relative" style={{ height: layout.height }}>
        {[...Map.groupBy(rows, ({ section }) => section)].map(([section, own]) => (
          // biome-ignore lint/a11y/useSemanticElements: no other element groups the options of a listbox
          <div key={section.key} role="group" aria-label={section.label || undefined}>
            {own.map((row) => (
              <PositionedRow key={row.option?.key ?? "heading"} listId={id} row={row} search={search} value={value} />
            ))}
          </div>
        ))}
      </div>
    </div>
  );
}

type PositionedRowProps = { listId: string; row: LaidRow; search: ModelSearch; value: string };

function PositionedRow({ listId, row, search, value }: PositionedRowProps) {
  const { option, section, top, height } = row;
  return (
    <div role="presentation" className="absolute inset-x-0" style={{ top, height }}>
      {option ? (
        <Option listId={listId} option={option} row={row} search={search} isChosen={option.key === value} />
      ) : (
        <p aria-hidden="true" className="flex h-full items-end truncate px-2.5 pb-1 font-medium text-muted text-xs">
          <bdi className="truncate">{section.label}</bdi>
        </p>
      )}
    </div>
  );
}

type OptionProps = { listId: string; option: OptionRow; row: LaidRow; search: ModelSearch; isChosen: boolean };

function Option({ listId, option, row, search, isChosen }: OptionProps) {
  const isActive = search.active?.key === option.key;
  const id = optionId(listId, option);
  return (
    <>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the field has the focus and handles the keys */}
      <div
        id={id}
        role="option"
        tabIndex={-1}
        aria-selected={isChosen}
        aria-setsize={search.layout.optionCount}
        aria-posinset={row.index + 1}
        aria-describedby={option.kind === "model" ? `${id}-facts` : undefined}
        className={cx(
          "flex h-full cursor-pointer select-none items-center gap-2 rounded-control px-2.5 text-sm",
          isActive && "bg-hover forced-colors:outline-2",
        )}
        onPointerMove={() => !isActive && search.setActive(option.key)}
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => search.choose(option)}
      >
        {option.kind === "fold" ? (
          <FoldContent count={option.count} isOpen={option.isOpen} />
        ) : (
          <ModelRowContent option={option} factsId={`${id}-facts`} isChosen={isChosen} />
        )}
      </div>
      {option.kind === "model" && <RowPin option={option} isActive={isActive} onPin={() => search.pin(option)} />}
    </>
  );
}

function FoldContent({ count, isOpen }: { count: number; isOpen: boolean }) {
  const { t, i18n } = useTranslation(["modelSearch", "modelMenu"]);
  return (
    <>
      <ChevronRight
        aria-hidden="true"
        className={cx("size-4 shrink-0 text-muted", isOpen ? "rotate-90" : "rtl:-scale-x-100")}
      />
      <span className="sr-only">{isOpen ? t("hideNotSetUp") : t("showNotSetUp", { count })}</span>
      <span aria-hidden="true" className="flex-1 text-muted">
        {t("modelMenu:notSetUpGroup")}
      </span>
      <span aria-hidden="true" className="text-muted text-xs tabular-nums">
        {new Intl.NumberFormat(i18n.language).format(count)}
      </span>
    </>
  );
}
