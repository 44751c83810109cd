import { ArrowUpRight } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Mark } from "../ui/components/wordmark.tsx";
import { useChatSession } from "./chat-session.ts";
import { useFocusOnBox } from "./composer-box.ts";
import { Draft } from "./draft.ts";

export function WelcomeTitle() {
  const { t } = useTranslation("chat");
  return (
    <div className="mx-auto w-full max-w-column px-6 pb-6 text-center sm:px-8 sm:pb-8">
      <Mark className="mx-auto mb-5 size-9" />
      <h1 className="text-balance font-semibold text-2xl tracking-[-0.022em]">{t("welcome.title")}</h1>
      <p className="mt-2 text-balance text-muted leading-text">{t("welcome.text")}</p>
    </div>
  );
}

/** Three example prompts, each sent unchanged. */
export function Suggestions({ chat, isDisabled }: { chat: string | null; isDisabled: boolean }) {
  const { t } = useTranslation("chat");
  const { replies, drafts, modelChoice } = useChatSession();
  const suggestions = t("welcome.suggestions", { returnObjects: true });
  const focusOnBox = useFocusOnBox();
  const send = async (prompt: string) => {
    // Removing the suggestions must not lose the focus.
    focusOnBox();
    const { isTaken, chat: place } = await replies.send(chat, prompt, modelChoice.current().value);
    if (!isTaken && drafts.get(place).text === "") drafts.set(place, new Draft(prompt));
  };
  return (
    <ul className="mx-auto w-full max-w-column px-4 sm:px-10">
      {suggestions.map(({ title, prompt }) => (
        <li key={title} className="border-hairline border-t first:border-t-0">
          <button
            type="button"
            disabled={isDisabled}
            className="group/try flex min-h-12 w-full items-center gap-3 rounded-control px-2 py-2.5 text-start text-sm"
            onClick={() => void send(prompt)}
          >
            <span className="flex min-w-0 flex-1 flex-wrap gap-x-2 leading-text">
              <span className="font-medium">{title}</span> <span className="text-pretty text-muted">{prompt}</span>
            </span>
            <ArrowUpRight
              aria-hidden="true"
              className="size-4 shrink-0 text-muted transition-colors group-hover/try:text-accent rtl:-scale-x-100"
            />
          </button>
        </li>
      ))}
    </ul>
  );
}
