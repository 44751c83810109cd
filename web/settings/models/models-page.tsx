import { Fragment, useState } from "react";
import { useTranslation } from "react-i18next";
import type { ModelGroup, ModelOption } from "#contract/models/models.ts";
import { useSession } from "../../accounts/session/session.ts";
import { costText } from "../../locales/cost-text.ts";
import models from "../../locales/en/models.json";
import { registerTexts } from "../../locales/i18n.ts";
import { stateText } from "../../models/listed-models.ts";
import { OwnModels } from "../../models/own-models.ts";
import { LinesLoading } from "../../page/lines-loading.tsx";
import { LoadFailure } from "../../page/load-failure.tsx";
import { Section } from "../../page/section.tsx";
import { modelsQuery } from "../../queries/models-query.ts";
import { useQuery } from "../../queries/use-query.ts";
import { Switch } from "../../ui/components/fields/switch.tsx";
import { tooltip } from "../../ui/tooltips/tooltip.ts";
import { ChosenModel } from "./chosen-model.tsx";
import { hasFilter, MenuChoices, matchesFilter } from "./menu-choices.tsx";

registerTexts("models", models);

/** Settings of models: their input types and prices, the default model, and the models that menus offer. */
export function ModelsPage() {
  const { t } = useTranslation("models");
  const { user } = useSession();
  const { value: groups, error, reload } = useQuery(modelsQuery);
  return (
    <>
      <p className="mt-2 text-pretty text-muted leading-text">{t("text")}</p>
      {error !== null && (
        <div className="mt-8">
          <LoadFailure error={error} onRetry={reload} />
        </div>
      )}
      {groups === null && error === null && <LinesLoading lines={4} />}
      {groups !== null && user && <Models key={user.id} account={user.id} groups={groups} />}
    </>
  );
}

function Models({ account, groups }: { account: string; groups: readonly ModelGroup[] }) {
  const { t } = useTranslation("models");
  const [own] = useState(() => new OwnModels(account));
  const [chosen, setChosen] = useState(() => own.chosen());
  const [hidden, setHidden] = useState(() => own.hidden());
  const [filter, setFilter] = useState("");
  const all = groups.flatMap(({ models }) => models);
  const choose = (value: string) => {
    own.choose(value);
    setChosen(value);
  };
  const show = (values: readonly string[], isShown: boolean) => {
    const others = own.hidden().filter((each) => !values.includes(each));
    const next = isShown ? others : [...others, ...values];
    own.hide(next);
    setHidden(next);
  };
  const isInMenus = ({ value }: ModelOption) => value === chosen || !hidden.includes(value);
  const matching = all.filter((model) => matchesFilter(model, filter));
  const listed = groups
    .map(({ label, models }) => ({ label, models: models.filter((model) => matching.includes(model)) }))
    .filter(({ models }) => models.length > 0);
  return (
    <>
      <ChosenModel
        groups={groups}
        value={chosen}
        note={isConfigured(groups) ? null : `${t("demo")} ${t("setUp")}`}
        onChoose={choose}
      />
      <MenuChoices
        filter={hasFilter(all) ? filter : null}
        onFilter={setFilter}
        hasMatches={matching.length > 0}
        shown={all.filter(isInMenus).length}
        all={all.length}
        onShowAll={(isShown) => {
          const values = matching.map(({ value }) => value).filter((value) => isShown || value !== chosen);
          show(values, isShown);
        }}
      />
      {listed.map(({ label, models }) => (
        <Section
          key={label}
          title={label}
          action={
            <span aria-hidden="true" className="pe-4 text-muted text-xs sm:pe-5">
              {t("menus")}
            </span>
          }
        >
          <ul className="divide-y divide-hairline">
            {models.map((model) => (
              <ModelLine
                key={model.value}
                model={model}
                isChosen={model.value === chosen}
                isShown={isInMenus(model)}
                onShow={(isShown) => show([model.value], isShown)}
              />
            ))}
          </ul>
        </Section>
      ))}
    </>
  );
}

/** Returns whether the server has a provider, also if it does not answer now. */
const isConfigured = (groups: readonly ModelGroup[]) =>
  groups.some(
    ({ unreachable, models: listed }) => unreachable !== undefined || listed.some(({ available }) => available),
  );

type ModelLineProps = {
  model: ModelOption;
  isChosen: boolean;
  isShown: boolean;
  onShow: (isShown: boolean) => void;
};

function ModelLine({ model, isChosen, isShown, onShow }: ModelLineProps) {
  const { t, i18n } = useTranslation("models");
  const { label, contextTokens, price } = model;
  const state = stateText(model);
  const numbers = new Intl.NumberFormat(i18n.language);
  const money = (amount: number) => costText(amount, false, i18n.language);
  const facts = [
    contextTokens !== undefined && t("context", { tokens: numbers.format(contextTokens) }),
    price && t("price", { input: money(price.input), output: money(price.output) }),
  ].filter((fact) => fact !== undefined && fact !== false);
  return (
    <li className="flex items-center justify-between gap-4 px-4 py-3.5 sm:px-5">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1 break-words font-medium text-sm">
          {label}
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
        onChange={onShow}
      />
    </li>
  );
}
