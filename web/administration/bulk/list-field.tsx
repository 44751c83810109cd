import { CircleAlert } from "lucide-react";
import { type DragEvent, useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { sizeText } from "../../locales/size-text.ts";
import { cx } from "../../ui/components/cx.ts";
import { ChooseFile } from "../../ui/components/fields/choose-file.tsx";
import { decodeText } from "./decode-text.ts";

const FILE_MAX_BYTES = 2_000_000;

/** Text of a list, and whether it is that of a CSV file. */
export type ListText = { text: string; isFile: boolean };

type ListFieldProps = {
  list: ListText;
  onChange: (list: ListText) => void;
  error: string | null;
  onError: (error: string) => void;
};

/** Text area for a list, which also takes a file: chosen, or dropped. */
export function ListField({ list, onChange, error, onError }: ListFieldProps) {
  const { t, i18n } = useTranslation("bulk");
  const id = useId();
  const area = useRef<HTMLTextAreaElement>(null);
  const [isOver, setOver] = useState(false);
  const read = async (file: File | undefined) => {
    if (!file) return;
    if (file.size > FILE_MAX_BYTES) return onError(t("tooLarge", { size: sizeText(FILE_MAX_BYTES, i18n.language) }));
    try {
      onChange({ text: decodeText(new Uint8Array(await file.arrayBuffer())), isFile: true });
      area.current?.focus();
    } catch {
      onError(t("unreadable"));
    }
  };
  const drop = (event: DragEvent) => {
    setOver(false);
    if (event.dataTransfer.files.length === 0) return;
    event.preventDefault();
    void read(event.dataTransfer.files[0]);
  };
  const over = (event: DragEvent) => {
    if (!event.dataTransfer.types.includes("Files")) return;
    event.preventDefault();
    setOver(true);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button is the keyboard alternative of dropping
    <div className="flex flex-col gap-1.5" onDragOver={over} onDragLeave={() => setOver(false)} onDrop={drop}>
      <label htmlFor={id} className="font-medium text-sm">
        {t("addresses")}
      </label>
      <textarea
        ref={area}
        id={id}
        dir="auto"
        rows={6}
        spellCheck={false}
        autoComplete="off"
        autoCapitalize="none"
        aria-invalid={error !== null || undefined}
        aria-describedby={`${id}-note`}
        value={list.text}
        // A list that was emptied is no file any more.
        onChange={({ target: { value } }) => onChange({ text: value, isFile: list.isFile && value.trim() !== "" })}
        className={cx(
          "block w-full resize-y rounded-control border px-3 py-2.5 text-base leading-text transition-colors",
          "focus-visible:outline-offset-0",
          isOver ? "bg-accent-soft" : "bg-raised",
          error === null ? "border-outline hover:border-muted focus-visible:border-accent" : "border-danger",
        )}
      />
      <p
        id={`${id}-note`}
        className={cx("flex items-start gap-1.5 text-xs leading-text", error === null ? "text-muted" : "text-danger")}
      >
        {error !== null && <CircleAlert aria-hidden="true" className="mt-px size-3.5 shrink-0" />}
        {error ?? t("hint")}
      </p>
      <div className="mt-1 flex flex-wrap items-center gap-3">
        <ChooseFile
          label={t("choose")}
          accept=".csv,.tsv,.txt,text/csv,text/plain"
          onChoose={(file) => void read(file)}
        />
        <span className="text-muted text-sm pointer-coarse:hidden">{t("drop")}</span>
      </div>
    </div>
  );
}
