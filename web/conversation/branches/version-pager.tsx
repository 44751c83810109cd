import { ChevronLeft, ChevronRight } from "lucide-react";
import { useRef } from "react";
import { useTranslation } from "react-i18next";
import { AUTO_MODEL } from "#contract/models/models.ts";
import type { ClientMessage } from "../../chats/state/chats-state.ts";
import { useModelName } from "../../models/use-model-name.ts";
import { useKeepPosition } from "../../scroll/keep-position.ts";
import { IconButton } from "../../ui/components/icon-button.tsx";
import { tooltip } from "../../ui/tooltips/tooltip.ts";
import { useChatSession } from "../chat-session.ts";
import { switchBranch } from "./switch-branch.ts";
import { useIsBusy } from "./use-is-busy.ts";

/** Shows which version of a message is visible, with buttons to the others. */
export function VersionPager({ chat, message }: { chat: string; message: ClientMessage }) {
  const { t } = useTranslation("branches");
  const session = useChatSession();
  const { branches, modelChoice } = session;
  const model = useModelName(modelChoice, message.model ?? AUTO_MODEL);
  const keepPosition = useKeepPosition();
  const group = useRef<HTMLFieldSetElement>(null);
  const isBusy = useIsBusy(chat);
  const { id, alternatives = [] } = message;
  const index = id === null ? -1 : alternatives.indexOf(id);
  if (id === null || index === -1 || !branches) return null;
  const { replies } = branches;
  const [n, count] = [index + 1, alternatives.length];
  const version = message.model ? t("versionBy", { n, count, model }) : t("version", { n, count });
  const onShow = () => keepPosition(group.current);
  const step = (by: -1 | 1) => {
    const to = alternatives[index + by];
    const label = t(by < 0 ? "previous" : "next");
    const Icon = by < 0 ? ChevronLeft : ChevronRight;
    const isHeld = isBusy || to === undefined;
    return (
      <IconButton
        label={label}
        icon={<Icon aria-hidden="true" className="rtl:-scale-x-100" />}
        size="small"
        // A disabled button would lose the focus at the first and the last version.
        aria-disabled={isHeld}
        className="w-7 aria-disabled:opacity-45 [&_svg]:size-4"
        onClick={() => !isHeld && void switchBranch({ session, replies }, { chat, from: id, to }, onShow)}
      />
    );
  };
  return (
    <fieldset ref={group} aria-label={t("versions")} className="flex items-center text-muted text-xs">
      {step(-1)}
      <span aria-hidden="true" {...tooltip(version)} className="min-w-7 text-center tabular-nums">
        {n}/{count}
      </span>
      <span aria-live="polite" className="sr-only">
        {version}
      </span>
      {step(1)}
    </fieldset>
  );
}
