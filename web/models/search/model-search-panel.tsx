import { Pin, PinOff, Search } from "lucide-react";
import { type ReactNode, useEffect, useId, useRef } from "react";
import { useTranslation } from "react-i18next";
import modelSearch from "../../locales/en/modelSearch.json";
import { registerTexts } from "../../locales/i18n.ts";
import { Button } from "../../ui/components/button.tsx";
import { ModelListbox } from "./model-listbox.tsx";
import type { ModelRow } from "./model-sections.ts";
import { optionId } from "./option-id.ts";
import { type ModelSearch, type ModelSearchInput, useModelSearch } from "./use-model-search.ts";

registerTexts("modelSearch", modelSearch);

type ModelSearchPanelProps = ModelSearchInput & {
  /** Button beside the field that closes the list. */
  close?: ReactNode;
};

/** A field that searches models, and the list of those that match. */
export function ModelSearchPanel({ close, ...input }: ModelSearchPanelProps) {
  const { t } = useTranslation("modelSearch");
  const listId = useId();
  const search = useModelSearch(input);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // For fingers the list: the keyboard would cover it.
    const first = window.matchMedia("(pointer: coarse)").matches ? search.scroller : field;
    first.current?.focus({ preventScroll: true });
  }, [search.scroller]);
  const { optionCount } = search.layout;
  return (
    <>
      <div className="flex shrink-0 items-center gap-2 border-hairline border-b px-3 py-1">
        <Search aria-hidden="true" className="size-4 shrink-0 text-muted" />
        <input
          ref={field}
          role="combobox"
          dir="auto"
          type="text"
          inputMode="search"
          enterKeyHint="go"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={200}
          aria-label={t("search")}
          aria-expanded={optionCount > 0}
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={search.active && optionId(listId, search.active)}
          placeholder={t("search")}
          value={search.query}
          onChange={({ target }) => search.search(target.value)}
          onKeyDown={search.press}
          className="h-10 min-w-0 flex-1 bg-transparent px-1 text-sm outline-none placeholder:text-muted pointer-coarse:h-11"
        />
        {close}
      </div>
      <ModelListbox id={listId} search={search} value={input.value} />
      <p role="status" className={optionCount > 0 ? "sr-only" : "px-4 py-3 text-muted text-sm"}>
        {optionCount === 0 && t("nothing")}
        {optionCount > 0 && search.query.trim() !== "" && t("found", { count: optionCount })}
      </p>
      {search.active?.kind === "model" && <PinButton search={search} option={search.active} />}
    </>
  );
}

type PinButtonProps = { search: ModelSearch; option: ModelRow };

/** Pins the active model: the button that the keyboard and screen readers reach, because an option contains no button. */
function PinButton({ search, option }: PinButtonProps) {
  const { t } = useTranslation("modelSearch");
  const Icon = option.isPinned ? PinOff : Pin;
  return (
    <div className="flex shrink-0 items-center justify-end border-hairline border-t px-1.5 py-1 pointer-coarse:sr-only">
      <Button
        variant="quiet"
        size="small"
        aria-keyshortcuts="Shift+Enter"
        className="min-w-0 font-normal text-muted"
        onClick={() => search.pin(option)}
      >
        <Icon aria-hidden="true" className="size-4 shrink-0" />
        <span className="truncate">{t(option.isPinned ? "unpin" : "pin", { name: option.model.label })}</span>
        <span aria-hidden="true" className="shrink-0 text-xs">
          ⇧ ↵
        </span>
      </Button>
    </div>
  );
}
