import { Lock } from "lucide-react";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import type { Connection } from "#contract/administration/connections.ts";
import { Button } from "../../ui/components/button.tsx";
import { TestButton, TestResult, useProviderCheck } from "../overview/provider-check.tsx";
import { ConnectionForm } from "./connection-form.tsx";
import { ConnectionMenu } from "./connection-menu.tsx";
import { ConnectionBadge, ListState } from "./connection-state.tsx";
import { hasModels, providerIdOf, variableOf } from "./connection-words.ts";
import { OfferedModels } from "./models/connection-models.tsx";
import type { ConnectionActions } from "./use-connection-list.ts";

type ConnectionCardProps = {
  connection: Connection;
  /** Position among the stored connections, and their number; -1 for a fixed one. */
  index: number;
  count: number;
  actions: ConnectionActions;
  /** Reads the connections again: their numbers of models, or their states, may have changed. */
  onReload: () => void;
};

/** A connection with its state and its actions; below it its form or its models, if they are open. */
export function ConnectionCard({ connection, index, count, onReload, ...rest }: ConnectionCardProps) {
  const { slug, name, isEnabled, baseUrl } = connection;
  const id = providerIdOf(connection);
  const test = useProviderCheck(id, onReload);
  const actions = forgetting(rest.actions, test.forget);
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
              <ConnectionBadge connection={connection} test={test.result} />
            </div>
            <p dir="ltr" className="mt-0.5 text-start text-muted [overflow-wrap:anywhere] rtl:text-end">
              {baseUrl}
            </p>
          </div>
        </div>
        <div className="text-muted leading-text">
          <ListState connection={connection} test={test.result} />
          <KeyLine connection={connection} />
        </div>
        <div className="flex flex-wrap items-center gap-2">
          {canTest && <TestButton test={test} provider={name} />}
          <MainButton connection={connection} actions={actions} view={view} />
          <ConnectionMenu connection={connection} index={index} count={count} actions={actions} view={view} />
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
          <OfferedModels connection={connection} onChanged={onReload} />
        </div>
      )}
    </li>
  );
}

/** Returns the actions; those that request the list again, or change the connection, remove the result of a test. */
function forgetting(actions: ConnectionActions, forget: () => void): ConnectionActions {
  const { refresh, enable, onSaved } = actions;
  return {
    ...actions,
    refresh: (connection) => {
      forget();
      refresh(connection);
    },
    enable: (connection, isEnabled) => {
      forget();
      enable(connection, isEnabled);
    },
    onSaved: (connection) => {
      forget();
      onSaved(connection);
    },
  };
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

/** Opens the form of a stored connection, and the models of one that the environment sets. */
function MainButton({ connection, actions, view }: CardButtonsProps) {
  const { t } = useTranslation("connections");
  const { slug, name, isFixed } = connection;
  const own = isFixed ? "models" : "edit";
  if (!hasModels(connection)) return null;
  return (
    <Button
      variant="secondary"
      size="small"
      aria-label={own === "edit" ? t("editLabel", { name }) : t("models.openLabel", { name })}
      aria-expanded={view === own}
      onClick={() => actions.open(view === own ? null : { slug, view: own })}
    >
      {own === "edit" ? t("edit") : t("models.open")}
    </Button>
  );
}
