import { Brain, Check, Hammer, Image } from "lucide-react";
import { Fragment } from "react";
import { useTranslation } from "react-i18next";
import { cx } from "../../ui/components/cx.ts";
import { tooltip } from "../../ui/tooltips/tooltip.ts";
import { factTexts, priceText, reasons, windowText } from "../model-facts.ts";
import type { ListedModel, OptionRow } from "./model-sections.ts";

type ModelRowContentProps = {
  option: Exclude<OptionRow, { kind: "fold" }>;
  /** Id of the facts in words, which describe the option. */
  factsId: string;
  isChosen: boolean;
};

/** Name of a model, with its notes and its facts on a second line. */
export function ModelRowContent({ option, factsId, isChosen }: ModelRowContentProps) {
  const isModel = option.kind === "model";
  const name = isModel ? option.model.label : option.choice.label;
  const notes = isModel ? option.notes : [option.choice.hint].filter((hint) => hint !== undefined);
  return (
    <>
      <span className="flex min-w-0 flex-1 flex-col">
        <bdi
          className={cx("own-way truncate", isModel && !option.model.available && "text-muted")}
          {...tooltip(name, { isForCutText: true })}
        >
          {name}
        </bdi>
        {/* Facts that do not fit wrap to a line that is cut off. */}
        <span className="flex max-h-[1lh] flex-wrap items-center gap-x-2.5 overflow-hidden text-muted text-xs">
          {notes.length > 0 && <Notes notes={notes} />}
          {isModel && <FactSigns model={option.model} id={factsId} />}
        </span>
      </span>
      {isChosen && <Check aria-hidden="true" className="size-4 shrink-0 text-accent" />}
      {isModel && <span className="w-6 shrink-0 pointer-coarse:w-9" />}
    </>
  );
}

function Notes({ notes }: { notes: readonly string[] }) {
  return (
    <span className="max-w-full truncate">
      {notes.map((note, index) => (
        <Fragment key={note}>
          {index > 0 && " · "}
          <bdi>{note}</bdi>
        </Fragment>
      ))}
    </span>
  );
}

/** Facts of a model as signs; in words for screen readers and in the tooltip. */
function FactSigns({ model, id }: { model: ListedModel; id: string }) {
  const { i18n } = useTranslation("modelFacts");
  const { language } = i18n;
  const texts = factTexts(model, language);
  if (texts.length === 0) return null;
  const words = texts.join(", ");
  const icons = [
    model.images && { name: "images", Icon: Image },
    model.tools && { name: "tools", Icon: Hammer },
    reasons(model) && { name: "reasoning", Icon: Brain },
  ].filter((icon) => typeof icon === "object");
  const short = [
    model.contextTokens !== undefined && windowText(model.contextTokens, language),
    model.price && priceText(model.price, language),
  ].filter((text) => typeof text === "string");
  return (
    <>
      {icons.length > 0 && (
        <span aria-hidden="true" className="flex gap-1.5" {...tooltip(words)}>
          {icons.map(({ name, Icon }) => (
            <Icon key={name} className="size-3.5" />
          ))}
        </span>
      )}
      {short.map((text) => (
        <span key={text} aria-hidden="true" className="whitespace-nowrap tabular-nums" {...tooltip(words)}>
          {text}
        </span>
      ))}
      <span id={id} hidden>
        {words}
      </span>
    </>
  );
}
