import { ChevronRight, LogIn } from "lucide-react";
import { useEffect, useEffectEvent, useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { ToolServer } from "#contract/conversation/tools.ts";
import { textByCode } from "../../api/problem-text.ts";
import { Button } from "../../ui/components/button.tsx";
import { cx } from "../../ui/components/cx.ts";
import { notify } from "../../ui/notifications/notify.ts";
import { beginSignIn } from "./begin-sign-in.ts";
import { isExplained, storeExplained } from "./explained-servers.ts";
import { requestedExplanation } from "./requested-explanation.ts";
import { ServerAbilities } from "./server-abilities.tsx";
import type { ChosenTools } from "./tool-choice.ts";

type ServerChoiceProps = { group: ChosenTools & { server: ToolServer }; onSwitch: () => void };

/**
 * Scrolls to all of a row, or to its beginning if it is higher than the list. In the next frame: a list that has just
 * opened has no size yet.
 */
const showWhole = (row: HTMLElement | null) => requestAnimationFrame(() => row?.scrollIntoView({ block: "nearest" }));

/** A server of tools that can be switched on: before its first use it is explained. */
export function ServerChoice({ group, onSwitch }: ServerChoiceProps) {
  const { t } = useTranslation("toolServers");
  const { server, isChosen } = group;
  const { name, host, isOwn, state } = server;
  const id = useId();
  const row = useRef<HTMLDivElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const [isAsking, setAsking] = useState(() => requestedExplanation.get() === group.slug);
  const answer = (isOn: boolean) => {
    setAsking(false);
    requestedExplanation.set(null);
    input.current?.focus();
    if (!isOn) return;
    storeExplained(server);
    onSwitch();
  };
  return (
    <div ref={row} className="px-3 py-1.5">
      <div className="flex items-center gap-2">
        <label className="flex min-h-9 min-w-0 flex-1 cursor-pointer items-center gap-3 text-sm pointer-coarse:min-h-11">
          <input
            ref={input}
            type="checkbox"
            className="size-4.5 shrink-0 accent-accent"
            checked={isChosen}
            aria-describedby={id}
            onChange={() => (isChosen || isExplained(server) ? onSwitch() : setAsking(true))}
          />
          <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">
            <bdi>{name}</bdi>
          </span>
        </label>
        {state === "connect" && <SignInButton server={server} />}
      </div>
      <p id={id} className="ps-7.5 text-muted text-xs [overflow-wrap:anywhere]">
        <bdi>{host === "" ? t("program") : host}</bdi>
        {isOwn && ` · ${t("own")}`}
        {state !== "ready" && <span className="text-warning">{` · ${t(`states.${state}`)}`}</span>}
      </p>
      {isAsking ? (
        <Explanation server={server} onShown={() => showWhole(row.current)} onAnswer={answer} />
      ) : (
        server.tools.length > 0 && <Abilities server={server} onShown={() => showWhole(row.current)} />
      )}
    </div>
  );
}

export function SignInButton({ server: { id, name } }: { server: Pick<ToolServer, "id" | "name"> }) {
  const { t } = useTranslation("toolServers");
  const [isBusy, setBusy] = useState(false);
  const begin = async () => {
    if (isBusy) return;
    setBusy(true);
    try {
      await beginSignIn(id);
    } catch (error) {
      notify("error", textByCode(error) ?? t("signInFailed"));
      setBusy(false);
    }
  };
  return (
    <Button
      variant="primary"
      size="small"
      busy={isBusy}
      aria-disabled={isBusy}
      aria-label={t("signInTo", { name })}
      onClick={() => void begin()}
    >
      {!isBusy && <LogIn aria-hidden="true" className="size-4" />}
      {t("signIn")}
    </Button>
  );
}

function Abilities({ server, onShown }: { server: ToolServer; onShown: () => void }) {
  const { t } = useTranslation("toolServers");
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const show = useEffectEvent(onShown);
  useEffect(() => {
    if (isOpen) show();
  }, [isOpen]);
  return (
    <div className="ps-7.5">
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        aria-label={t("abilitiesOf", { name: server.name })}
        className="flex min-h-7 items-center gap-1 rounded-small text-muted text-xs hover:text-ink pointer-coarse:min-h-11"
        onClick={() => setOpen(!isOpen)}
      >
        {t("abilities")}
        <ChevronRight
          aria-hidden="true"
          className={cx("size-3.5 transition-transform", isOpen ? "rotate-90" : "rtl:-scale-x-100")}
        />
      </button>
      {isOpen && (
        <div id={id} className="pb-1">
          <ServerAbilities tools={server.tools} leftOut={server.leftOut} />
        </div>
      )}
    </div>
  );
}

type ExplanationProps = { server: ToolServer; onShown: () => void; onAnswer: (isOn: boolean) => void };

/** Whose server it is, what it receives and what it may do, before it is switched on for the first time. */
function Explanation({ server, onShown, onAnswer }: ExplanationProps) {
  const { t } = useTranslation("toolServers");
  const { name, host, isOwn, tools, leftOut } = server;
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const show = useEffectEvent(onShown);
  useEffect(() => {
    // The focus itself would scroll to the button, past the words above it.
    button.current?.focus({ preventScroll: true });
    show();
  }, []);
  const owner = host === "" ? t("first.program") : t(isOwn ? "first.own" : "first.others", { host });
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset belongs to a form
    <div
      role="group"
      aria-labelledby={id}
      // Read when the focus enters, because it goes to the button below.
      aria-describedby={`${id}-text`}
      className="mt-1.5 mb-1 grid gap-2 rounded-control border border-accent/35 bg-accent-soft px-3 py-2.5 text-sm leading-text"
    >
      <p id={id} className="font-medium [overflow-wrap:anywhere]">
        {t("first.title", { name })}
      </p>
      <div id={`${id}-text`} className="grid gap-2">
        <p className="[overflow-wrap:anywhere]">{owner}</p>
        <p>{t("first.sent")}</p>
        {tools.length > 0 && (
          <>
            <p>{t("first.says")}</p>
            <ServerAbilities tools={tools} leftOut={leftOut} />
          </>
        )}
        <p>{t("first.asks")}</p>
      </div>
      {/* Visible beside words that are longer than the list. */}
      <div className="sticky -bottom-1 -mx-3 -mb-2.5 flex flex-wrap gap-2 rounded-b-control bg-raised bg-linear-to-b from-accent-soft to-accent-soft px-3 pt-1 pb-2.5">
        <Button ref={button} size="small" onClick={() => onAnswer(true)}>
          {t("first.on")}
        </Button>
        <Button variant="secondary" size="small" onClick={() => onAnswer(false)}>
          {t("first.cancel")}
        </Button>
      </div>
    </div>
  );
}
