import { useId, useState } from "react";
import { useTranslation } from "react-i18next";
import type { PersonalServer } from "#contract/mcp/own-servers.ts";
import { FailureBanner } from "../../forms/failure-banner.tsx";
import { Badge } from "../../page/badge.tsx";
import { TimeAgo } from "../../page/time-ago.tsx";
import { FoldedAbilities } from "../../presets/tools/server-abilities.tsx";
import { SignInButton } from "../../presets/tools/sign-in-button.tsx";
import { Button } from "../../ui/components/button.tsx";
import { ConfirmDialog } from "../../ui/dialogs/confirm-dialog.tsx";
import { PersonalServerAdvice } from "./personal-server-advice.tsx";
import { PersonalServerForm } from "./personal-server-form.tsx";
import { PersonalServerMenu } from "./personal-server-menu.tsx";
import { type PersonalServerActions, usePersonalServerActions } from "./use-personal-server-actions.ts";
import type { PersonalServerList } from "./use-personal-server-list.ts";

type PersonalServerRowProps = { server: PersonalServer; list: PersonalServerList };

/** A server with its state, what to do about it, and its tools; below it its form, if that is open. */
export function PersonalServerRow({ server, list }: PersonalServerRowProps) {
  const { t } = useTranslation("ownServers");
  const actions = usePersonalServerActions(server, list.listeners);
  const [isAsked, setAsked] = useState(false);
  const { id, name, url, host, isOwn, isOn, tools, leftOut } = server;
  const titleId = useId();
  const isEdited = list.edited === id;
  const hasTools = isOn && tools.length + leftOut > 0;
  return (
    <li id={id} tabIndex={-1} aria-labelledby={titleId} className="flex flex-col gap-3 px-4 py-4 text-sm sm:px-5">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-3">
        <div className="min-w-0 flex-1 basis-56 leading-text">
          <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
            <h3 id={titleId} className="min-w-0 font-medium [overflow-wrap:anywhere]">
              <bdi>{name}</bdi>
            </h3>
            <StateBadge server={server} />
          </div>
          <p className="text-muted [overflow-wrap:anywhere]">
            <bdi dir="ltr">{url ?? host}</bdi>
            {!isOwn && ` · ${t("provided")}`}
          </p>
          <Facts server={server} />
          <PersonalServerAdvice server={server} reason={list.reasons[id]} />
        </div>
        <RowButtons server={server} list={list} actions={actions} onRemove={() => setAsked(true)} />
      </div>
      <FailureBanner failure={actions.failure} />
      {hasTools && <FoldedAbilities server={server} />}
      {isEdited && <PersonalServerForm server={server} onSaved={list.onSaved} onCancel={() => list.edit(null)} />}
      <ConfirmDialog
        isOpen={isAsked}
        onOpenChange={setAsked}
        title={t("remove.title", { name })}
        description={t("remove.text")}
        confirmLabel={t("remove.open")}
        onConfirm={actions.remove}
      />
    </li>
  );
}

/** State of a server as its list shows it. `unknown`: it was never asked for its tools. */
function shownStateOf({ isOn, state, listedAt }: PersonalServer) {
  if (!isOn) return "off";
  return state === "empty" && listedAt === undefined ? "unknown" : state;
}

function toneOf(state: ReturnType<typeof shownStateOf>) {
  if (state === "ready") return "accent";
  if (state === "away") return "danger";
  return state === "connect" || state === "empty" ? "warning" : "plain";
}

function StateBadge({ server }: { server: PersonalServer }) {
  const { t } = useTranslation("ownServers");
  const state = shownStateOf(server);
  return <Badge tone={toneOf(state)}>{t(`state.${state}`)}</Badge>;
}

function Facts({ server: { isOn, tools, leftOut, listedAt, signedInAt, issuer } }: { server: PersonalServer }) {
  const { t } = useTranslation("ownServers");
  const count = tools.length + leftOut;
  if (!isOn) return null;
  return (
    <ul className="flex flex-wrap gap-x-4 text-muted empty:hidden">
      {count > 0 && <li>{t("tools", { count })}</li>}
      {count > 0 && listedAt !== undefined && (
        <li>
          <TimeAgo at={listedAt} sentence={(time) => t("listed", { time })} />
        </li>
      )}
      {signedInAt !== undefined && (
        <li className="min-w-0 [overflow-wrap:anywhere]">
          <TimeAgo at={signedInAt} sentence={(time) => t("signedIn", { time, issuer: issuer ?? "" })} />
        </li>
      )}
    </ul>
  );
}

type RowButtonsProps = PersonalServerRowProps & { actions: PersonalServerActions; onRemove: () => void };

function RowButtons({ server, list, actions, onRemove }: RowButtonsProps) {
  const { t } = useTranslation("ownServers");
  const { id, name, state, isOn, isOwn, signedInAt } = server;
  const isEdited = list.edited === id;
  const isAsking = actions.busy === "refresh";
  const isHeld = actions.busy !== null;
  const isTriable = isOn && (state === "away" || state === "empty");
  return (
    <div className="flex flex-wrap items-center gap-2">
      {isOn && state === "connect" && <SignInButton server={server} />}
      {isTriable && (
        <Button
          variant="secondary"
          size="small"
          aria-label={t("againLabel", { name })}
          busy={isAsking}
          aria-disabled={isHeld || undefined}
          onClick={actions.refresh}
        >
          {isAsking ? t("asking") : t("again")}
        </Button>
      )}
      {isOwn && (
        <Button
          variant="secondary"
          size="small"
          aria-label={t("editLabel", { name })}
          aria-expanded={isEdited}
          onClick={() => list.edit(isEdited ? null : id)}
        >
          {t("edit")}
        </Button>
      )}
      {(isOwn || signedInAt !== undefined || !isTriable) && (
        <PersonalServerMenu server={server} actions={actions} onRemove={onRemove} />
      )}
    </div>
  );
}
