import { useCallback, useDeferredValue, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Connection, ConnectionModel, ModelChanges } from "#contract/administration/connections.ts";
import { FailureBanner } from "../../../forms/failure-banner.tsx";
import { useAction } from "../../../forms/use-action.ts";
import { LinesLoading } from "../../../page/lines-loading.tsx";
import { LoadFailure } from "../../../page/load-failure.tsx";
import { useFocusRendered } from "../../../page/use-focus-rendered.ts";
import { withProof } from "../../../proof/proof.ts";
import { useResource } from "../../../queries/use-resource.ts";
import { Button } from "../../../ui/components/button.tsx";
import { Field } from "../../../ui/components/fields/field.tsx";
import { connectionsApi } from "../connections-api.ts";
import { AddModel } from "./add-model.tsx";
import { ModelForm } from "./model-form.tsx";
import { ModelLine } from "./model-line.tsx";
import { isChat, knownOf } from "./model-words.ts";

/** Models that are rendered at first, and with each request for more. */
const SHOWN = 50;

type ConnectionModelsProps = {
  connection: Connection;
  /** Called after each change. */
  onChanged: () => void;
};

/** Models of a connection: a search, what is known of each, and those that cannot chat apart. */
export function OfferedModels({ connection, onChanged }: ConnectionModelsProps) {
  const { t } = useTranslation("connections");
  const { slug } = connection;
  const read = useCallback((signal: AbortSignal) => connectionsApi.readModels(slug, signal), [slug]);
  const { value, error, reload, change } = useResource(read);
  const [words, setWords] = useState("");
  const searched = useDeferredValue(words.trim().toLowerCase());
  if (error !== null) {
    return (
      <div className="p-4 sm:p-5">
        <LoadFailure error={error} onRetry={() => void reload()} />
      </div>
    );
  }
  if (value === null) return <LinesLoading lines={3} />;
  const save = async (changes: ModelChanges["changes"]) => {
    change(await withProof(() => connectionsApi.changeModels(slug, changes)));
    onChanged();
  };
  const found = value.models.filter((model) =>
    `${model.name} ${knownOf(model).label ?? ""}`.toLowerCase().includes(searched),
  );
  const others = found.filter((model) => !isChat(model));
  return (
    <div className="flex flex-col gap-4 p-4 text-sm sm:p-5">
      {value.models.length > 5 && (
        <Field
          label={t("models.search")}
          type="search"
          autoComplete="off"
          value={words}
          onChange={({ target }) => setWords(target.value)}
        />
      )}
      <ModelList
        key={searched}
        label={t("models.label", { name: connection.name })}
        models={found.filter(isChat)}
        connection={connection}
        save={save}
      />
      {others.length > 0 && (
        <details>
          <summary className="w-fit cursor-pointer rounded-control py-1 text-muted">
            {t("models.others", { count: others.length })}
          </summary>
          <ModelList label={t("models.othersLabel")} models={others} connection={connection} save={save} />
        </details>
      )}
      <AddModel save={save} />
    </div>
  );
}

type ModelListProps = {
  label: string;
  models: readonly ConnectionModel[];
  connection: Connection;
  save: (changes: ModelChanges["changes"]) => Promise<void>;
};

const lineId = (slug: string, name: string) => `${slug}:${name}`;

function ModelList({ label, models, connection: { slug, settings }, save }: ModelListProps) {
  const { t } = useTranslation("connections");
  const [shown, setShown] = useState(SHOWN);
  const [edited, setEdited] = useState<string | null>(null);
  const { run, busy, failure } = useAction<string>();
  const focusRendered = useFocusRendered();
  const close = (name: string) => {
    setEdited(null);
    focusRendered(lineId(slug, name));
  };
  const saveEdited = async (changes: ModelChanges["changes"]) => {
    await save(changes);
    for (const { name } of changes) close(name);
  };
  if (models.length === 0) return <p className="text-muted">{t("models.nothing")}</p>;
  return (
    <div>
      <FailureBanner failure={failure} className="mb-3" />
      <ul aria-label={label} className="divide-y divide-hairline">
        {models.slice(0, shown).map((model) => (
          <li key={model.name} id={lineId(slug, model.name)} tabIndex={-1}>
            {edited === model.name ? (
              <ModelForm model={model} save={saveEdited} onCancel={() => close(model.name)} />
            ) : (
              <ModelLine
                model={model}
                isChosen={settings.offer === "chosen"}
                isBusy={busy === model.name}
                onEdit={() => setEdited(model.name)}
                onOffer={(isOffered) => void run(model.name, () => save([{ name: model.name, isOffered }]))}
                onRemove={() => void run(model.name, () => save([{ name: model.name, isRemoved: true }]))}
              />
            )}
          </li>
        ))}
      </ul>
      {models.length > shown && (
        <Button variant="secondary" className="mt-3 w-full" onClick={() => setShown(shown + SHOWN)}>
          {t("models.more", { count: models.length - shown })}
        </Button>
      )}
    </div>
  );
}
