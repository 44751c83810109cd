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
import type { Action, Choice } from "./action.ts";
import type { ActionContext } from "./action-context.ts";

const NOTIFICATION_MS = 4 * SECOND;

const lastAnswer = ({ conversation }: ActionContext) =>
  conversation?.messages.findLast(({ role, content }) => role === "assistant" && content !== "");

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
  {
    id: "stop",
    label: "actions:label.stop",
    icon: Square,
    group: "chat",
    when: ({ isWriting }) => isWriting,
    run: ({ session, chat }) => stopReply(session.replies, chat),
  },
  {
    id: "copyAnswer",
    label: "actions:label.copyAnswer",
    icon: Copy,
    group: "chat",
    when: (context) => lastAnswer(context) !== undefined,
    run: (context) => void copyAnswer(context),
  },
  {
    id: "copyChat",
    label: "actions:label.copyChat",
    icon: Copy,
    group: "chat",
    when: (context) => lastAnswer(context) !== undefined,
    run: (context) => void copyChat(context),
  },
  {
    id: "regenerate",
    label: "actions:label.regenerate",
    icon: RefreshCw,
    group: "chat",
    isDrastic: true,
    when: (context) => {
      const answer = endedAnswer(context);
      return answer !== undefined && answer.id !== null && !isEmptyMessage(answer) && !canAsk("retry")(context);
    },
    run: (context) => {
      const { session, chat } = context;
      const message = endedAnswer(context)?.id ?? null;
      const model = session.modelChoice.current().value;
      if (chat !== null && message !== null) regenerate(session, { chat, message, model });
    },
  },
  {
    id: "retry",
    label: "actions:label.retry",
    icon: RotateCcw,
    group: "chat",
    isDrastic: true,
    when: canAsk("retry"),
    run: ask("retry"),
  },
  {
    id: "continue",
    label: "actions:label.continue",
    icon: CornerDownRight,
    group: "chat",
    when: canAsk("continue"),
    run: ask("continue"),
  },
  {
    id: "editLast",
    label: "actions:label.editLast",
    icon: Pencil,
    group: "chat",
    // A text in the box is the person's next question.
    when: ({ session, chat, conversation }) =>
      session.branches !== null &&
      chat !== null &&
      session.drafts.get(chat).isUntouched &&
      conversation?.messages.some(({ role }) => role === "user") === true,
    run: ({ session, chat, box }) => {
      if (chat !== null) editLast(session, chat, box);
    },
  },
  {
    id: "chooseModel",
    label: "actions:label.chooseModel",
    icon: Bot,
    group: "chat",
    run: ({ open }) => open({ kind: "palette", scope: "chooseModel" }),
    choices: modelsToChoose,
  },
  {
    id: "chooseEffort",
    label: "actions:label.chooseEffort",
    icon: Gauge,
    group: "chat",
    when: ({ session }) => effortChoiceOf(session).isOffered,
    run: ({ open }) => open({ kind: "palette", scope: "chooseEffort" }),
    choices: effortsToChoose,
  },
  {
    id: "chooseTools",
    label: "actions:label.chooseTools",
    icon: Hammer,
    group: "chat",
    when: ({ session }) => toolChoiceOf(session).length > 0,
    run: ({ open }) => open({ kind: "palette", scope: "chooseTools" }),
    choices: toolsToChoose,
  },
  {
    id: "choosePreset",
    label: "actions:label.choosePreset",
    icon: SlidersHorizontal,
    group: "chat",
    when: ({ session }) => session.presets.current().length > 0,
    run: ({ open }) => open({ kind: "palette", scope: "choosePreset" }),
    choices: presetsToChoose,
  },
];
