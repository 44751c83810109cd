import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { type AdministeredMcpServers, MCP_SERVERS_MAX } from "#contract/administration/mcp-servers.ts";
import { FailureBanner } from "../../forms/failure-banner.tsx";
import { FormStatus } from "../../forms/form-status.tsx";
import mcpServerTexts from "../../locales/en/mcpServers.json";
import { registerTexts } from "../../locales/i18n.ts";
import { LinesLoading } from "../../page/lines-loading.tsx";
import { LoadFailure } from "../../page/load-failure.tsx";
import { Section } from "../../page/section.tsx";
import { useResource } from "../../queries/use-resource.ts";
import { Button } from "../../ui/components/button.tsx";
import { EmptyState } from "../../ui/components/empty-state.tsx";
import { ConfirmDialog } from "../../ui/dialogs/confirm-dialog.tsx";
import { useHasRole } from "../use-has-role.ts";
import { OwnServersSection } from "./own-servers-section.tsx";
import { ToolServerCard } from "./tool-server-card.tsx";
import { ToolServerForm } from "./tool-server-form.tsx";
import { toolServersApi } from "./tool-servers-api.ts";
import { type ToolServerActions, useToolServerList } from "./use-tool-server-list.ts";

registerTexts("mcpServers", mcpServerTexts);

/** MCP servers of the installation, and whether people may have their own. */
export function ToolServersPage() {
  const { t } = useTranslation("mcpServers");
  const { value, error, reload, change } = useResource(toolServersApi.read);
  return (
    <>
      <p className="mt-2 text-pretty text-muted leading-text">{t("text")}</p>
      {error !== null && <LoadFailure error={error} onRetry={() => void reload()} className="mt-6" />}
      {value === null && error === null && <LinesLoading lines={4} />}
      {value !== null && <ToolServers list={value} onChange={change} />}
      {value !== null && <OwnServersSection hosts={value.ownHosts} />}
    </>
  );
}

type ToolServersProps = { list: AdministeredMcpServers; onChange: (list: AdministeredMcpServers) => void };

function ToolServers({ list, onChange }: ToolServersProps) {
  const { t } = useTranslation("mcpServers");
  const isOwner = useHasRole("owner");
  const actions = useToolServerList(list, onChange);
  const { form, failure, confirmation } = actions;
  const { servers } = list;
  const isEmpty = servers.length === 0;
  const isFull = servers.filter(({ isFixed }) => !isFixed).length >= MCP_SERVERS_MAX;
  return (
    <>
      {isEmpty && !form.isOpen && <EmptyState title={t("empty")} text={t("emptyText")} className="mt-8" />}
      {isOwner && !form.isOpen && (
        <div className={isEmpty ? "mt-4 flex justify-center" : "mt-6"}>
          <Button ref={form.trigger} aria-disabled={isFull || undefined} onClick={() => isFull || actions.openForm()}>
            {t("add.open")}
          </Button>
        </div>
      )}
      {!isOwner && <p className="mt-6 text-muted text-sm">{t("readOnly")}</p>}
      {isOwner && isFull && <p className="mt-2 text-muted text-sm">{t("full", { max: MCP_SERVERS_MAX })}</p>}
      {form.isOpen && <NewToolServer actions={actions} />}
      <FailureBanner failure={failure} className="mt-6" />
      <div className={confirmation === null ? "sr-only" : "mt-6"}>
        <FormStatus text={confirmation} />
      </div>
      {!isEmpty && (
        <ul aria-label={t("label")} className="mt-6 flex flex-col gap-4">
          {servers.map((server) => (
            <ToolServerCard key={server.slug} server={server} actions={actions} />
          ))}
        </ul>
      )}
      <RemoveDialog removal={actions.removal} />
    </>
  );
}

/** Form of a new server, whose heading takes the focus. */
function NewToolServer({ actions }: { actions: ToolServerActions }) {
  const { t } = useTranslation("mcpServers");
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <Section title={t("add.title")} headingRef={heading}>
      <ToolServerForm server={null} onSaved={actions.onAdded} onCancel={actions.form.close} />
    </Section>
  );
}

/** Asks before a server is removed, and says what is deleted with it. */
function RemoveDialog({ removal: { asked, cancel, remove } }: Pick<ToolServerActions, "removal">) {
  const { t } = useTranslation("mcpServers");
  return (
    <ConfirmDialog
      isOpen={asked !== null}
      onOpenChange={(isOpen) => !isOpen && cancel()}
      title={asked ? t("remove.title", { name: asked.name }) : ""}
      description={t("remove.text")}
      confirmLabel={t("remove.open")}
      onConfirm={() => asked && remove(asked)}
    />
  );
}
