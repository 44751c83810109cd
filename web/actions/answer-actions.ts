import {
  Bot,
  Copy,
  CornerDownRight,
  Gauge,
  Hammer,
  Pencil,
  RefreshCw,
  RotateCcw,
  SlidersHorizontal,
  Square,
} from "lucide-react";
import { isEmptyMessage } from "#contract/conversation/parts.ts";
import { isRunning } from "#contract/conversation/reply-state.ts";
import { SECOND } from "#contract/limits.ts";
import { AUTO_MODEL } from "#contract/models/models.ts";
import type { ClientMessage } from "../chats/state/chats-state.ts";
import { editLast } from "../conversation/branches/edit-last.ts";
import { regenerate } from "../conversation/branches/regenerate.ts";
import { stopReply } from "../conversation/composer/use-send.ts";
import { type AnswerMode, modesOf } from "../conversation/message/answer-modes.ts";
import { i18n } from "../locales/i18n.ts";
import { copyMessages } from "../markdown/copying/copying-module.ts";
import { stateText, withChosen } from "../models/listed-models.ts";
import { chooseTier, effortChoiceOf } from "../presets/effort-choice.ts";
import { selectPresetId } from "../presets/preset-choice.ts";
import { isExplained } from "../presets/tools/explained-servers.ts";
import { requestedExplanation } from "../presets/tools/requested-explanation.ts";
import { switchTools, toolChoiceOf } from "../presets/tools/tool-choice.ts";
import { toolGroupName } from "../presets/tools/tool-group-words.ts";
import { choosePreset } from "../presets/use-preset.ts";
import { notify } from "../ui/notifications/notify.ts";
import { type Action, type Choice, chatAction, choiceAction } from "./action.ts";
import type { ActionContext } from "./action-context.ts";

const NOTIFICATION_MS = 4 * SECOND;

const lastAnswer = ({ conversation }: ActionContext) =>
  conversation?.messages.findLast(({ role, content }) => role === "assistant" && content !== "");

const hasAnswer = (context: ActionContext) => lastAnswer(context) !== undefined;

/** Returns the last message if it is an answer that has ended. */
function endedAnswer({ conversation, isWriting }: ActionContext): ClientMessage | undefined {
  const last = conversation?.messages.at(-1);
  return isWriting || last?.role !== "assistant" || isRunning(last.state) ? undefined : last;
}

/** The server stores no temporary reply, so it cannot continue one. */
const canAsk = (mode: AnswerMode) => (context: ActionContext) => {
  const answer = endedAnswer(context);
  return (
    answer !== undefined && modesOf(answer).includes(mode) && (mode !== "continue" || !context.session.storedSession)
  );
};

const ask = (mode: AnswerMode) => (context: ActionContext) => {
  const { session, chat } = context;
  if (chat !== null) void session.replies.answer(chat, mode, session.modelChoice.current().value);
};

async function copyAnswer(context: ActionContext): Promise<void> {
  const { content: text = "", parts } = lastAnswer(context) ?? {};
  const isCopied = await copyMessages([{ author: null, text, parts }]);
  if (isCopied) notify("info", i18n.t("actions:copied"), { durationMs: NOTIFICATION_MS });
  else notify("error", i18n.t("actions:notCopied"));
}

async function copyChat({ conversation }: ActionContext): Promise<void> {
  const messages = (conversation?.messages ?? []).filter(({ content }) => content !== "");
  const isCopied = await copyMessages(
    messages.map(({ role, content, parts }) => ({
      author: i18n.t(role === "user" ? "chat:messages.you" : "chat:messages.server"),
      text: content,
      parts,
      isQuestion: role === "user",
    })),
  );
  if (isCopied) notify("info", i18n.t("actions:chatCopied"), { durationMs: NOTIFICATION_MS });
  else notify("error", i18n.t("actions:chatNotCopied"));
}

function modelsToChoose({ session: { modelChoice } }: ActionContext): Choice[] {
  const { groups, value: chosen } = modelChoice.current();
  const automatic = { value: AUTO_MODEL, label: i18n.t("chat:model.auto"), available: true };
  const listed = withChosen(groups, chosen).flatMap(({ label, models }) =>
    models.map((model) => ({ ...model, connection: label })),
  );
  const sameName = Map.groupBy(listed, ({ label }) => label);
  const named = listed.map((model) => ({
    ...model,
    label: (sameName.get(model.label)?.length ?? 0) > 1 ? `${model.label} · ${model.connection}` : model.label,
  }));
  return [automatic, ...named].map((model) => ({
    id: model.value,
    name: model.label,
    note: stateText(model) ?? undefined,
    isChosen: model.value === chosen,
    run: () => modelChoice.choose(model.value),
  }));
}

function presetsToChoose({ session }: ActionContext): Choice[] {
  const chosen = selectPresetId(session.store.getState());
  const none = { id: "", name: i18n.t("actions:label.noPreset") };
  return [none, ...session.presets.current()].map(({ id, name }) => ({
    id,
    name,
    isChosen: id === (chosen ?? ""),
    run: () => choosePreset(session, id || null),
  }));
}

function effortsToChoose({ session }: ActionContext): Choice[] {
  const { tier: chosen, choices } = effortChoiceOf(session);
  return choices.map(({ tier, name }) => ({
    id: tier,
    name: i18n.t(`presets:effort.${name}`),
    isChosen: tier === chosen,
    run: () => chooseTier(session, tier),
  }));
}

function toolsToChoose({ session }: ActionContext): Choice[] {
  return toolChoiceOf(session).map(({ slug, isChosen, server }) => {
    const isUsable = isChosen || !server || isExplained(server);
    const name = toolGroupName(slug);
    return {
      id: slug,
      name: isUsable ? name : `${name}…`,
      isChosen,
      // The panel explains a server before its first use.
      run: () => (isUsable ? switchTools(session, slug) : requestedExplanation.set(slug)),
    };
  });
}

/** Actions on the answers of the current chat, and settings of the next answer. */
export const answerActions: readonly Action[] = [
  chatAction("stop", Square, ({ session, chat }) => stopReply(session.replies, chat), {
    when: ({ isWriting }) => isWriting,
  }),
  chatAction("copyAnswer", Copy, (context) => void copyAnswer(context), { when: hasAnswer }),
  chatAction("copyChat", Copy, (context) => void copyChat(context), { when: hasAnswer }),
  chatAction(
    "regenerate",
    RefreshCw,
    (context) => {
      const { session, chat } = context;
      const message = endedAnswer(context)?.id ?? null;
      const model = session.modelChoice.current().value;
      if (chat !== null && message !== null) regenerate(session, { chat, message, model });
    },
    {
      isDrastic: true,
      when: (context) => {
        const answer = endedAnswer(context);
        return answer !== undefined && answer.id !== null && !isEmptyMessage(answer) && !canAsk("retry")(context);
      },
    },
  ),
  chatAction("retry", RotateCcw, ask("retry"), { isDrastic: true, when: canAsk("retry") }),
  chatAction("continue", CornerDownRight, ask("continue"), { when: canAsk("continue") }),
  chatAction("editLast", Pencil, ({ session, chat, box }) => chat !== null && editLast(session, chat, box), {
    // A text in the box is the person's next question.
    when: ({ session, chat, conversation }) =>
      session.branches !== null &&
      chat !== null &&
      session.drafts.get(chat).isUntouched &&
      conversation?.messages.some(({ role }) => role === "user") === true,
  }),
  choiceAction("chooseModel", Bot, modelsToChoose),
  choiceAction("chooseEffort", Gauge, effortsToChoose, ({ session }) => effortChoiceOf(session).isOffered),
  choiceAction("chooseTools", Hammer, toolsToChoose, ({ session }) => toolChoiceOf(session).length > 0),
  choiceAction(
    "choosePreset",
    SlidersHorizontal,
    presetsToChoose,
    ({ session }) => session.presets.current().length > 0,
  ),
];
