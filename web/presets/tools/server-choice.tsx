import { useEffect, useEffectEvent, useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { ToolServer } from "#contract/conversation/tools.ts";
import { Button } from "../../ui/components/button.tsx";
import { isExplained, storeExplained } from "./explained-servers.ts";
import { requestedExplanation } from "./requested-explanation.ts";
import { FoldedAbilities, ServerAbilities } from "./server-abilities.tsx";
import { SignInButton } from "./sign-in-button.tsx";
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
        server.tools.length > 0 && (
          <div className="ps-7.5">
            <FoldedAbilities server={server} onShown={() => showWhole(row.current)} />
          </div>
        )
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
