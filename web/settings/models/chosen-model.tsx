import { Info } from "lucide-react";
import { useTranslation } from "react-i18next";
import { AUTO_MODEL, type ModelGroup } from "#contract/models/models.ts";
import type { OwnModels } from "../../models/own-models.ts";
import { ModelSelect } from "../../models/search/model-select.tsx";
import { Section } from "../../page/section.tsx";

type ChosenModelProps = {
  groups: readonly ModelGroup[];
  value: string;
  /** Note that applies to every choice. */
  note: string | null;
  ownModels: OwnModels;
  onChoose: (value: string) => void;
};

/** Default model, used unless a preset or the chat selects another. */
export function ChosenModel({ groups, value, note, ownModels, onChoose }: ChosenModelProps) {
  const { t } = useTranslation("models");
  return (
    <Section title={t("chosen.title")} text={t("chosen.text")}>
      <div className="flex flex-col gap-3 p-4 sm:p-5">
        <ModelSelect
          className="sm:max-w-80"
          label={t("chosen.title")}
          groups={groups}
          first={{ value: AUTO_MODEL, label: t("chosen.auto") }}
          value={value}
          hasStates={note === null}
          ownModels={ownModels}
          onChoose={onChoose}
        />
        {note !== null && (
          <p className="flex items-start gap-2 text-pretty text-muted text-sm leading-text">
            <Info aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-accent" />
            {note}
          </p>
        )}
      </div>
    </Section>
  );
}
