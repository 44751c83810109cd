import { ArrowUpRight } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useSession } from "../accounts/session/session.ts";
import { Mark } from "../ui/components/wordmark.tsx";
import { useChatSession } from "./chat-session.ts";
import { useFocusOnBox } from "./composer-box.ts";
import { Draft } from "./draft.ts";

/** Heading of an empty chat, with a greeting by name. */
export function WelcomeTitle() {
  const { t } = useTranslation("chat");
  const name = useSession().user?.firstname;
  return (
    <div className="mx-auto w-full max-w-column px-6 pb-6 text-center sm:px-8 sm:pb-8 [@media(height<30rem)]:pb-2">
      <Mark className="mx-auto mb-5 size-9 [@media(height<30rem)]:hidden" />
      {name && <p className="mb-1 text-balance text-lg text-muted">{t("welcome.hello", { name })}</p>}
      <h1 className="text-balance font-semibold text-2xl tracking-[-0.022em]">{t("welcome.title")}</h1>
      <p className="mt-2 text-balance text-muted leading-text [@media(height<30rem)]:hidden">{t("welcome.text")}</p>
    </div>
  );
}

/** Three example prompts. Each fills the box, below a text that is there already, so that it can be changed first. */
export function Suggestions({ chat, isDisabled }: { chat: string | null; isDisabled: boolean }) {
  const { t } = useTranslation("chat");
  const { drafts } = useChatSession();
  const suggestions = t("welcome.suggestions", { returnObjects: true });
  const focusOnBox = useFocusOnBox();
  const fill = (prompt: string) => {
    const [draft, suggested] = [drafts.get(chat), new Draft(prompt)];
    if (!draft.includes(suggested)) drafts.set(chat, draft.join(suggested));
    focusOnBox();
  };
  return (
    <ul className="mx-auto w-full max-w-column px-4 sm:px-10">
      {suggestions.map(({ title, prompt }) => (
        <li key={title} className="border-hairline border-t first:border-t-0">
          <button
            type="button"
            disabled={isDisabled}
            className="group/try flex min-h-12 w-full items-center gap-3 rounded-control px-2 py-2.5 text-start text-sm"
            onClick={() => fill(prompt)}
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
