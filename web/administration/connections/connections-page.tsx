import { useTranslation } from "react-i18next";
import { CONNECTIONS_MAX, type ConnectionList, type ConnectionUses } from "#contract/administration/connections.ts";
import { FailureBanner } from "../../forms/failure-banner.tsx";
import { FormStatus } from "../../forms/form-status.tsx";
import { LoadFailure } from "../../page/load-failure.tsx";
import { Section } from "../../page/section.tsx";
import { useResource } from "../../queries/use-resource.ts";
import { Button } from "../../ui/components/button.tsx";
import { EmptyState } from "../../ui/components/empty-state.tsx";
import { ConfirmDialog } from "../../ui/dialogs/confirm-dialog.tsx";
import { AddConnection } from "./add-connection.tsx";
import { AutomaticOrder } from "./automatic-order.tsx";
import { ConnectionCard } from "./connection-card.tsx";
import { ConnectionResult } from "./connection-result.tsx";
import { connectionsApi } from "./connections-api.ts";
import { ConnectionsLoading } from "./connections-loading.tsx";
import { type ConnectionActions, useConnectionList } from "./use-connection-list.ts";

/** Connections to providers of models: those there are, and forms for them. */
export function ConnectionsPage() {
  const { t } = useTranslation("connections");
  const { value, error, reload, change } = useResource(connectionsApi.read);
  return (
    <>
      <p className="mt-2 text-pretty text-muted leading-text">{t("text")}</p>
      {error !== null && <LoadFailure error={error} onRetry={() => void reload()} className="mt-6" />}
      {value === null && error === null && <ConnectionsLoading />}
      {value !== null && <Connections list={value} onChange={change} onReload={() => void reload()} />}
    </>
  );
}

type ConnectionsProps = { list: ConnectionList; onChange: (list: ConnectionList) => void; onReload: () => void };

function Connections({ list, onChange, onReload }: ConnectionsProps) {
  const { t } = useTranslation("connections");
  const actions = useConnectionList(list, onChange);
  const { form, failure, confirmation } = actions;
  const { connections, automatic } = list;
  const stored = connections.filter(({ isFixed }) => !isFixed);
  const isFull = stored.length >= CONNECTIONS_MAX;
  const isEmpty = connections.length === 0;
  const connected = connections.find(({ slug }) => slug === actions.connected);
  // The one just connected is shown above, and not twice.
  const cards = connections.filter((connection) => connection !== connected);
  return (
    <>
      {!form.isOpen && !isEmpty && (
        <Button
          ref={form.trigger}
          className="mt-6"
          aria-disabled={isFull || undefined}
          onClick={() => isFull || actions.openForm()}
        >
          {t("add.open")}
        </Button>
      )}
      {isFull && <p className="mt-2 text-muted text-sm">{t("full", { max: CONNECTIONS_MAX })}</p>}
      {isEmpty && <EmptyState title={t("empty")} text={t("emptyText")} className="mt-8" />}
      {(form.isOpen || isEmpty) && (
        <Section title={t("add.open")}>
          <AddConnection onConnected={actions.onConnected} onCancel={isEmpty ? undefined : form.close} />
        </Section>
      )}
      {connected && (
        <div className="mt-6 rounded-surface border border-hairline bg-raised">
          <ConnectionResult connection={connected} onDone={actions.closeResult} onTested={onReload} />
        </div>
      )}
      <FailureBanner failure={failure} className="mt-6" />
      <div className={confirmation === null ? "sr-only" : "mt-6"}>
        <FormStatus text={confirmation} />
      </div>
      {cards.length > 0 && (
        <ul aria-label={t("label")} className="mt-6 flex flex-col gap-4">
          {cards.map((connection) => (
            <ConnectionCard
              key={connection.slug}
              connection={connection}
              index={stored.indexOf(connection)}
              count={stored.length}
              actions={actions}
              onReload={onReload}
            />
          ))}
        </ul>
      )}
      {!isEmpty && (
        <AutomaticOrder automatic={automatic} onSaved={(values) => onChange({ ...list, automatic: values })} />
      )}
      <DeleteDialog actions={actions} />
    </>
  );
}

/** Asks before a connection is deleted, and names what uses its models. */
function DeleteDialog({ actions: { asked, keep, remove } }: { actions: ConnectionActions }) {
  const { t, i18n } = useTranslation("connections");
  const usesOf = ({ presets, groups, isAutomatic }: ConnectionUses) => [
    ...(presets > 0 ? [t("uses.presets", { count: presets })] : []),
    ...(groups.length > 0 ? [t("uses.groups", { names: new Intl.ListFormat(i18n.language).format(groups) })] : []),
    ...(isAutomatic ? [t("uses.automatic")] : []),
  ];
  return (
    <ConfirmDialog
      isOpen={asked !== null}
      onOpenChange={(isOpen) => !isOpen && keep()}
      title={asked ? t("deleteTitle", { name: asked.connection.name }) : ""}
      description={asked ? [t("deleteText"), ...usesOf(asked.uses)].join(" ") : ""}
      confirmLabel={t("delete")}
      onConfirm={() => asked && remove(asked.connection)}
    />
  );
}
