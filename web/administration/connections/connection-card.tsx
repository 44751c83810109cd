import { Lock } from "lucide-react";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import type { Connection } from "#contract/administration/connections.ts";
import { Button } from "../../ui/components/button.tsx";
import { Switch } from "../../ui/components/fields/switch.tsx";
import { TestButton, TestResult, useProviderCheck } from "../overview/provider-check.tsx";
import { ConnectionForm } from "./connection-form.tsx";
import { ConnectionBadge, ListState } from "./connection-state.tsx";
import { providerIdOf, variableOf } from "./connection-words.ts";
import { OfferedModels } from "./models/connection-models.tsx";
import { MoveButtons } from "./move-buttons.tsx";
import type { ConnectionActions } from "./use-connection-list.ts";

type ConnectionCardProps = {
  connection: Connection;
  /** Position among the stored connections, and their number; -1 for a fixed one. */
  index: number;
  count: number;
  actions: ConnectionActions;
  /** Reads the connections again: their numbers of models may have changed. */
  onModelsChanged: () => void;
};

/** A connection with its state and its actions; below it its form or its models, if they are open. */
export function ConnectionCard({ connection, index, count, actions, onModelsChanged }: ConnectionCardProps) {
  const { slug, name, isFixed, isEnabled, baseUrl } = connection;
  const id = providerIdOf(connection);
  const test = useProviderCheck(id, () => {});
  const titleId = useId();
  const view = actions.opened?.slug === slug ? actions.opened.view : null;
  const canTest = isEnabled && !connection.isUnreadable;
  return (
    <li
      id={slug}
      tabIndex={-1}
      aria-labelledby={titleId}
      className="rounded-surface border border-hairline bg-raised text-sm"
    >
      <div className="flex flex-col gap-3 p-4 sm:p-5">
        <div className="flex items-start justify-between gap-3">
          <div className="min-w-0">
            <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
              <h2 id={titleId} className="font-semibold text-base [overflow-wrap:anywhere]">
                <bdi>{name}</bdi>
              </h2>
              <ConnectionBadge connection={connection} />
            </div>
            <p dir="ltr" className="mt-0.5 text-start text-muted [overflow-wrap:anywhere] rtl:text-end">
              {baseUrl}
            </p>
          </div>
          {!isFixed && count > 1 && (
            <MoveButtons name={name} index={index} count={count} onMove={(to) => actions.move(index, to)} />
          )}
        </div>
        <div className="text-muted leading-text">
          <ListState connection={connection} />
          <KeyLine connection={connection} />
        </div>
        <div className="flex flex-wrap items-center gap-2">
          {canTest && <TestButton test={test} provider={name} />}
          <CardButtons connection={connection} actions={actions} view={view} />
        </div>
      </div>
      <TestResult test={test} name={id} />
      {view === "edit" && (
        <div className="border-hairline border-t">
          <ConnectionForm connection={connection} onSaved={actions.onSaved} onCancel={() => actions.open(null)} />
        </div>
      )}
      {view === "models" && (
        <div className="border-hairline border-t">
          <OfferedModels connection={connection} onChanged={onModelsChanged} />
        </div>
      )}
    </li>
  );
}

function KeyLine({ connection }: { connection: Connection }) {
  const { t } = useTranslation("connections");
  const { keyEnd, isUnreadable } = connection;
  const variable = variableOf(connection);
  if (variable !== undefined) {
    return (
      <p className="mt-1 flex items-start gap-1.5">
        <Lock aria-hidden="true" className="mt-1 size-3.5 shrink-0" />
        {t("fixed", { variable })}
      </p>
    );
  }
  if (isUnreadable) return null;
  return <p>{keyEnd === null ? t("key.none") : t("key.shown", { key: `••••${keyEnd}` })}</p>;
}

type CardButtonsProps = Pick<ConnectionCardProps, "connection" | "actions"> & { view: "edit" | "models" | null };

function CardButtons({ connection, actions, view }: CardButtonsProps) {
  const { t } = useTranslation("connections");
  const { slug, name, isFixed, isEnabled } = connection;
  const hasList = !isFixed || slug === "LOCAL";
  const isBusy = (action: string) => actions.busy === `${action} ${slug}`;
  const toggle = (next: "edit" | "models") => actions.open(view === next ? null : { slug, view: next });
  const button = { variant: "secondary", size: "small" } as const;
  return (
    <>
      {hasList && (
        <Button
          {...button}
          aria-label={t("models.openLabel", { name })}
          aria-expanded={view === "models"}
          onClick={() => toggle("models")}
        >
          {t("models.open")}
        </Button>
      )}
      {!isFixed && (
        <Button
          {...button}
          aria-label={t("editLabel", { name })}
          aria-expanded={view === "edit"}
          onClick={() => toggle("edit")}
        >
          {t("edit")}
        </Button>
      )}
      {hasList && isEnabled && (
        <Button
          {...button}
          aria-label={t("refreshLabel", { name })}
          busy={isBusy("refresh")}
          aria-disabled={isBusy("refresh") || undefined}
          onClick={() => actions.refresh(connection)}
        >
          {t("refresh")}
        </Button>
      )}
      {!isFixed && (
        <>
          <Button
            variant="dangerous"
            size="small"
            aria-label={t("deleteLabel", { name })}
            busy={isBusy("ask") || isBusy("delete")}
            aria-disabled={isBusy("delete") || undefined}
            onClick={() => actions.askToDelete(connection)}
          >
            {t("delete")}
          </Button>
          <span className="ms-auto flex items-center gap-2">
            <span aria-hidden="true" className="text-muted">
              {t("enabled")}
            </span>
            <Switch
              checked={isEnabled}
              aria-label={t("enabledLabel", { name })}
              onChange={(isOn) => actions.enable(connection, isOn)}
            />
          </span>
        </>
      )}
    </>
  );
}
