import { X } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { AUTOMATIC_MODELS_MAX } from "#contract/administration/connections.ts";
import type { ModelGroup } from "#contract/models/models.ts";
import { FailureBanner } from "../../forms/failure-banner.tsx";
import { FormStatus } from "../../forms/form-status.tsx";
import { useAction } from "../../forms/use-action.ts";
import { ModelSelectField } from "../../models/search/model-select-field.tsx";
import { Section } from "../../page/section.tsx";
import { withProof } from "../../proof/proof.ts";
import { modelsQuery } from "../../queries/models-query.ts";
import { useQuery } from "../../queries/use-query.ts";
import { Button } from "../../ui/components/button.tsx";
import { IconButton } from "../../ui/components/icon-button.tsx";
import { notify } from "../../ui/notifications/notify.ts";
import { UNDO_MS } from "../../ui/notifications/notify-counted.ts";
import { moved } from "./connection-words.ts";
import { connectionsApi } from "./connections-api.ts";
import { MoveButtons } from "./move-buttons.tsx";

type AutomaticOrderProps = {
  /** Values in order; null: the default order. */
  automatic: readonly string[] | null;
  onSaved: (values: string[] | null) => void;
};

/** Order in which automatic choice tries models. */
export function AutomaticOrder({ automatic, onSaved }: AutomaticOrderProps) {
  const { t } = useTranslation("connections");
  const { value: groups, reload } = useQuery(modelsQuery);
  const [draft, setDraft] = useState<readonly string[] | null>(null);
  const [confirmation, setConfirmation] = useState<string | null>(null);
  const { run, busy, failure } = useAction<"save" | "reset">();
  const order = draft ?? automatic ?? defaultOrder(groups ?? []);
  const isChanged = draft !== null && JSON.stringify(draft) !== JSON.stringify(automatic);
  const change = (values: readonly string[]) => {
    setConfirmation(null);
    setDraft(values);
  };
  const put = (name: "save" | "reset", values: readonly string[] | null, onDone: () => void) =>
    run(name, async () => {
      await withProof(() => connectionsApi.orderAutomatic(values));
      onSaved(values && [...values]);
      setDraft(null);
      onDone();
      void reload();
    });
  const save = (name: "save" | "reset", values: readonly string[] | null) =>
    put(name, values, () => {
      setConfirmation(null);
      const undo = () => void put("reset", automatic, () => setConfirmation(t("automatic.undone")));
      const text = values === null ? t("automatic.isReset") : t("automatic.saved");
      notify("info", text, { durationMs: UNDO_MS, action: { label: t("automatic.undo"), run: undo } });
    });
  const labels = labelsOf(groups ?? []);
  return (
    <Section
      title={t("automatic.title")}
      text={`${t("automatic.text")} ${automatic === null ? t("automatic.isDefault") : ""}`.trim()}
    >
      <div className="flex flex-col gap-4 p-4 text-sm sm:p-5">
        <FailureBanner failure={failure} />
        {order.length === 0 && <p className="text-muted">{t("automatic.empty")}</p>}
        <ol aria-label={t("automatic.title")} className="flex flex-col">
          {order.map((value, index) => (
            <OrderedModel
              key={value}
              name={labels.get(value) ?? value}
              isGone={groups !== null && !labels.has(value)}
              index={index}
              count={order.length}
              onMove={(to) => change(moved(order, index, to))}
              onRemove={() => change(order.filter((each) => each !== value))}
            />
          ))}
        </ol>
        <AddModel groups={groups ?? []} order={order} onAdd={(value) => change([...order, value])} />
        <div className="flex flex-wrap items-center justify-end gap-3">
          <div className="min-w-0 flex-1">
            <FormStatus text={confirmation} />
          </div>
          {automatic !== null && (
            <Button variant="quiet" busy={busy === "reset"} onClick={() => void save("reset", null)}>
              {t("automatic.reset")}
            </Button>
          )}
          <Button
            busy={busy === "save"}
            aria-disabled={!isChanged || busy !== null || undefined}
            onClick={() => isChanged && void save("save", order)}
          >
            {t("automatic.save")}
          </Button>
        </div>
      </div>
    </Section>
  );
}

type OrderedModelProps = {
  name: string;
  /** Whether no connection has the model any more. */
  isGone: boolean;
  index: number;
  count: number;
  onMove: (to: number) => void;
  onRemove: () => void;
};

function OrderedModel({ name, isGone, index, count, onMove, onRemove }: OrderedModelProps) {
  const { t } = useTranslation("connections");
  return (
    <li className="flex min-h-10 items-center gap-3 py-1">
      <span className="w-5 shrink-0 text-end text-muted tabular-nums">{index + 1}</span>
      <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">
        <bdi>{name}</bdi>
        {isGone && <span className="text-muted"> · {t("automatic.gone")}</span>}
      </span>
      {count > 1 && <MoveButtons name={name} index={index} count={count} onMove={onMove} />}
      <IconButton
        label={t("automatic.remove", { name })}
        icon={<X aria-hidden="true" />}
        size="small"
        onClick={onRemove}
      />
    </li>
  );
}

type AddModelProps = { groups: readonly ModelGroup[]; order: readonly string[]; onAdd: (value: string) => void };

function AddModel({ groups, order, onAdd }: AddModelProps) {
  const { t } = useTranslation("connections");
  const [chosen, setChosen] = useState("");
  const isFull = order.length >= AUTOMATIC_MODELS_MAX;
  const free = groups
    .map(({ label, models }) => ({
      label,
      models: models.filter(({ value, available }) => available && !order.includes(value)),
    }))
    .filter(({ models }) => models.length > 0);
  const canAdd = !isFull && free.some(({ models }) => models.some(({ value }) => value === chosen));
  const add = () => {
    onAdd(chosen);
    setChosen("");
  };
  return (
    <div className="flex flex-wrap items-end gap-3">
      <div className="min-w-0 flex-1 basis-56">
        <ModelSelectField
          label={t("automatic.model")}
          groups={free}
          first={{ value: "", label: t("automatic.choose") }}
          value={canAdd ? chosen : ""}
          onChoose={setChosen}
        />
      </div>
      <Button
        variant="secondary"
        className="min-h-11"
        aria-disabled={!canAdd || undefined}
        onClick={() => canAdd && add()}
      >
        {t("automatic.add")}
      </Button>
    </div>
  );
}

const labelsOf = (groups: readonly ModelGroup[]) =>
  new Map(groups.flatMap((group) => group.models.map(({ value, label }) => [value, `${label} · ${group.label}`])));

function defaultOrder(groups: readonly ModelGroup[]): string[] {
  const models = groups.flatMap((group) => group.models).filter(({ automatic }) => automatic !== undefined);
  return models.sort((a, b) => (a.automatic ?? 0) - (b.automatic ?? 0)).map(({ value }) => value);
}
