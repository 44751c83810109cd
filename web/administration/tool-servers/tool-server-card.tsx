import { Lock } from "lucide-react";
import { useEffect, useId } from "react";
import { useTranslation } from "react-i18next";
import type { AdministeredMcpServer } from "#contract/administration/mcp-servers.ts";
import { FailureBanner } from "../../forms/failure-banner.tsx";
import { Badge } from "../../page/badge.tsx";
import { TimeAgo } from "../../page/time-ago.tsx";
import { Button } from "../../ui/components/button.tsx";
import { useHasRole } from "../use-has-role.ts";
import { FailureSentence, ServerCheckResult } from "./server-check-result.tsx";
import { ServerTools } from "./server-tools.tsx";
import { ToolServerForm } from "./tool-server-form.tsx";
import { ToolServerMenu } from "./tool-server-menu.tsx";
import { type ServerCheck, useServerCheck } from "./use-server-check.ts";
import type { ToolServerActions } from "./use-tool-server-list.ts";

/** Characters without a direction of their own are not reordered after this mark. */
const LEFT_TO_RIGHT = "\u200e";

type ToolServerCardProps = { server: AdministeredMcpServer; actions: ToolServerActions };

/** A server with its facts and actions; below it its form or its tools, if they are open. */
export function ToolServerCard({ server, actions }: ToolServerCardProps) {
  const { t } = useTranslation("mcpServers");
  const isOwner = useHasRole("owner");
  const { slug, name, url } = server;
  const check = useServerCheck(({ server: refreshed }) => actions.replace(refreshed));
  const saved = actions.checks[slug];
  const { show } = check;
  // What it answered when it was saved replaces the result of an earlier test.
  useEffect(() => {
    if (saved !== undefined) show(saved);
  }, [saved, show]);
  const titleId = useId();
  const view = actions.opened?.slug === slug ? actions.opened.view : null;
  return (
    <li
      id={slug}
      tabIndex={-1}
      aria-labelledby={titleId}
      className="rounded-surface border border-hairline bg-raised text-sm"
    >
      <div className="flex flex-col gap-3 p-4 sm:p-5">
        <div className="flex items-start gap-2">
          <div className="min-w-0 flex-1">
            <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
              <h2 id={titleId} className="font-semibold text-base [overflow-wrap:anywhere]">
                <bdi>{name}</bdi>
              </h2>
              <Badges server={server} />
            </div>
            {url === null ? (
              <p className="mt-0.5 text-muted">{t("program")}</p>
            ) : (
              <p dir="ltr" className="mt-0.5 text-start text-muted [overflow-wrap:anywhere] rtl:text-end">
                {url}
              </p>
            )}
          </div>
          {isOwner && !server.isFixed && <ToolServerMenu server={server} actions={actions} />}
        </div>
        <Facts server={server} hasResult={check.result !== null} />
        <CardButtons server={server} check={check} view={view} actions={actions} />
        <FailureBanner failure={check.failure} />
        {check.failure === null && <ServerCheckResult check={check.result} />}
      </div>
      {view !== null && (
        <div className="border-hairline border-t">
          {view === "tools" && (
            <ServerTools
              // Tools of a new answer begin a new choice.
              key={server.listedAt}
              server={server}
              onSaved={actions.onToolsSaved}
              onCancel={() => actions.open(null)}
            />
          )}
          {view === "edit" && (
            <ToolServerForm server={server} onSaved={actions.onSaved} onCancel={() => actions.open(null)} />
          )}
        </div>
      )}
    </li>
  );
}

type CardButtonsProps = ToolServerCardProps & { check: ServerCheck; view: "edit" | "tools" | null };

function CardButtons({ server, check, view, actions }: CardButtonsProps) {
  const { t } = useTranslation("mcpServers");
  const isOwner = useHasRole("owner");
  const { slug, name, isFixed } = server;
  const toggle = (next: "edit" | "tools") => actions.open(view === next ? null : { slug, view: next });
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Button
        variant="secondary"
        size="small"
        aria-label={t("tools.label", { name })}
        aria-expanded={view === "tools"}
        onClick={() => toggle("tools")}
      >
        {t("tools.open")}
      </Button>
      {isOwner && (
        <Button
          variant="secondary"
          size="small"
          aria-label={t("check.label", { name })}
          busy={check.isChecking}
          aria-disabled={check.isChecking || undefined}
          onClick={() => check.isChecking || check.refresh(slug)}
        >
          {check.isChecking ? t("check.running") : t("check.run")}
        </Button>
      )}
      {isOwner && !isFixed && (
        <Button
          variant="secondary"
          size="small"
          aria-label={t("editLabel", { name })}
          aria-expanded={view === "edit"}
          onClick={() => toggle("edit")}
        >
          {t("edit")}
        </Button>
      )}
    </div>
  );
}

function toneOf(state: AdministeredMcpServer["state"]) {
  if (state === "ready") return "accent";
  if (state === "away") return "danger";
  return state === "empty" ? "warning" : "plain";
}

function Badges({ server: { isEnabled, isUnreadable, isTrusted, state } }: Pick<ToolServerCardProps, "server">) {
  const { t } = useTranslation("mcpServers");
  return (
    <>
      {!isEnabled && <Badge>{t("state.disabled")}</Badge>}
      {isUnreadable && <Badge tone="danger">{t("state.unreadable")}</Badge>}
      {isEnabled && !isUnreadable && <Badge tone={toneOf(state)}>{t(`state.${state}`)}</Badge>}
      {isTrusted && <Badge>{t("trusted")}</Badge>}
    </>
  );
}

type FactsProps = Pick<ToolServerCardProps, "server"> & {
  /** A result says the newer about the last failure. */
  hasResult: boolean;
};

function Facts({ server, hasResult }: FactsProps) {
  const { t } = useTranslation("mcpServers");
  const { url, failure, isEnabled, isFixed, isOverridden, isUnreadable, listedAt } = server;
  const host = url === null ? "" : new URL(url).host;
  const { short, long } = useFacts(server);
  const hasFailure = server.state === "away" && isEnabled && !isUnreadable && !hasResult;
  return (
    <div className="text-muted leading-text">
      {isUnreadable && <p className="text-danger">{t("unreadable")}</p>}
      {isOverridden && <p className="text-warning">{t("overridden")}</p>}
      {hasFailure && failure && (
        <p className="text-danger">
          <FailureSentence failure={{ code: failure.code, host }} />
        </p>
      )}
      <ul className="flex flex-wrap gap-x-4 gap-y-0.5">
        {short.map((fact) => (
          <li key={fact} className="min-w-0 [overflow-wrap:anywhere]">
            {fact}
          </li>
        ))}
        {listedAt !== undefined && (
          <li>
            <TimeAgo at={listedAt} sentence={(time) => t("listed", { time })} />
          </li>
        )}
      </ul>
      {long.map((fact) => (
        <p key={fact} className="[overflow-wrap:anywhere]">
          {fact}
        </p>
      ))}
      {isFixed && (
        <p className="mt-1 flex items-start gap-1.5">
          <Lock aria-hidden="true" className="mt-1 size-3.5 shrink-0" />
          {t("fixed")}
        </p>
      )}
    </div>
  );
}

/** Returns facts about a server: for whom it is, its tools and its use; and sentences about its trust and headers. */
function useFacts(server: AdministeredMcpServer): { short: string[]; long: string[] } {
  const { t, i18n } = useTranslation("mcpServers");
  const { groups, isTrusted, headers, tools, unlistedTools, chosenTools, calls, failures } = server;
  const list = new Intl.ListFormat(i18n.language);
  const names = list.format((groups ?? []).map(({ name }) => name ?? t("groups.gone")));
  const count = tools.length + unlistedTools;
  const chosen = chosenTools === null ? count : tools.filter(({ name }) => chosenTools.includes(name)).length;
  const made = t("calls", { count: calls });
  const shownHeaders = headers.map(({ name, end }) => `${LEFT_TO_RIGHT}${name}: ••••${end}`).join(", ");
  return {
    short: [
      groups === null ? t("groups.everyone") : t("groups.some", { count: groups.length, names }),
      ...(count > 0 ? [chosen === count ? t("tools.all", { count }) : t("tools.some", { chosen, all: count })] : []),
      failures > 0 ? t("callsFailed", { calls: made, failed: failures }) : made,
    ],
    long: [
      ...(isTrusted ? [t("trustedText")] : []),
      ...(headers.length > 0 ? [t("headers.shown", { headers: shownHeaders })] : []),
    ],
  };
}
