import { useCallback, useState } from "react";
import { useTranslation } from "react-i18next";
import type { ModelGroup, ModelOption } from "#contract/models/models.ts";
import { useSession } from "../../accounts/session/session.ts";
import models from "../../locales/en/models.json";
import { registerTexts } from "../../locales/i18n.ts";
import { modelMatcher } from "../../models/match-models.ts";
import { OwnModels } from "../../models/own-models.ts";
import { LinesLoading } from "../../page/lines-loading.tsx";
import { LoadFailure } from "../../page/load-failure.tsx";
import { modelsQuery } from "../../queries/models-query.ts";
import { useQuery } from "../../queries/use-query.ts";
import { ChosenModel } from "./chosen-model.tsx";
import { ConnectionModels } from "./connection-models.tsx";
import { hasFilter, MenuChoices } from "./menu-choices.tsx";

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
  const show = useCallback(
    (values: readonly string[], isShown: boolean) => {
      const changed = new Set(values);
      const others = own.hidden().filter((each) => !changed.has(each));
      const next = isShown ? others : [...others, ...values];
      own.hide(next);
      setHidden(next);
    },
    [own],
  );
  const hiddenValues = new Set(hidden);
  const isInMenus = ({ value }: ModelOption) => value === chosen || !hiddenValues.has(value);
  const matches = modelMatcher(filter);
  const listed = groups
    .map(({ label, models }) => ({ label, models: models.filter((model) => matches(model, label)) }))
    .filter(({ models }) => models.length > 0);
  const matching = listed.flatMap(({ models }) => models);
  return (
    <>
      <ChosenModel
        groups={groups}
        value={chosen}
        note={isConfigured(groups) ? null : `${t("demo")} ${t("setUp")}`}
        ownModels={own}
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
        <ConnectionModels
          key={`${label} ${filter}`}
          label={label}
          models={models}
          chosen={chosen}
          isInMenus={isInMenus}
          onShow={show}
        />
      ))}
    </>
  );
}

/** Returns whether the server has a provider, also if it does not answer now. */
const isConfigured = (groups: readonly ModelGroup[]) =>
  groups.some(
    ({ unreachable, models: listed }) => unreachable !== undefined || listed.some(({ available }) => available),
  );
