import { Fragment, memo, useState } from "react";
import { useTranslation } from "react-i18next";
import type { ModelOption } from "#contract/models/models.ts";
import { stateText } from "../../models/listed-models.ts";
import { factTexts } from "../../models/model-facts.ts";
import { Section } from "../../page/section.tsx";
import { Button } from "../../ui/components/button.tsx";
import { Switch } from "../../ui/components/fields/switch.tsx";
import { tooltip } from "../../ui/tooltips/tooltip.ts";

/** Number of models that a section shows before a press shows more, and that it then adds. */
const SHOWN_MODELS = 50;

type OnShow = (values: readonly string[], isShown: boolean) => void;

type ConnectionModelsProps = {
  label: string;
  models: readonly ModelOption[];
  /** Value of the model for new chats. */
  chosen: string;
  isInMenus: (model: ModelOption) => boolean;
  onShow: OnShow;
};

/** The models of one connection: a connection with hundreds of them shows them in steps. */
export function ConnectionModels({ label, models, chosen, isInMenus, onShow }: ConnectionModelsProps) {
  const { t, i18n } = useTranslation("models");
  const [limit, setLimit] = useState(SHOWN_MODELS);
  const numbers = new Intl.NumberFormat(i18n.language);
  return (
    <Section
      title={label}
      action={
        <span aria-hidden="true" className="pe-4 text-muted text-xs sm:pe-5">
          {t("menus")}
        </span>
      }
    >
      <ul className="divide-y divide-hairline">
        {models.slice(0, limit).map((model) => (
          <ModelLine
            key={model.value}
            model={model}
            isChosen={model.value === chosen}
            isShown={isInMenus(model)}
            onShow={onShow}
          />
        ))}
      </ul>
      {models.length > limit && (
        <div className="border-hairline border-t p-2">
          <Button variant="quiet" size="small" onClick={() => setLimit(limit + SHOWN_MODELS)}>
            {t("more", { shown: numbers.format(limit), all: numbers.format(models.length) })}
          </Button>
        </div>
      )}
    </Section>
  );
}

type ModelLineProps = { model: ModelOption; isChosen: boolean; isShown: boolean; onShow: OnShow };

const ModelLine = memo(function ModelLine({ model, isChosen, isShown, onShow }: ModelLineProps) {
  const { t, i18n } = useTranslation("models");
  const { label, value } = model;
  const state = stateText(model);
  const facts = factTexts(model, i18n.language);
  return (
    <li className="flex items-center justify-between gap-4 px-4 py-3.5 sm:px-5">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1 break-words font-medium text-sm">
          <bdi className="min-w-0 [overflow-wrap:anywhere]">{label}</bdi>
          {state !== null && (
            <span className="rounded-full border border-hairline px-2 py-px font-normal text-muted text-xs">
              {state}
            </span>
          )}
        </p>
        <p className="mt-0.5 text-muted text-sm tabular-nums leading-text">
          {facts.map((fact, index) => (
            <Fragment key={fact}>
              {index > 0 && " · "}
              <span className="whitespace-nowrap">{fact}</span>
            </Fragment>
          ))}
        </p>
      </div>
      <Switch
        aria-label={t("inMenu", { name: label })}
        {...tooltip(isChosen ? t("always") : t("inMenu", { name: label }))}
        checked={isShown}
        disabled={isChosen}
        onChange={(isOn) => onShow([value], isOn)}
      />
    </li>
  );
});
