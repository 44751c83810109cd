import { useEffect, useState } from "react";
import type { SharedPageAnswer } from "#contract/shares/shared-page.ts";
import type { ShareDraft, ShareOptions } from "#contract/shares/shares.ts";
import { type Failure, toFailure } from "../forms/use-sending.ts";
import { useLanguage } from "../locales/language.ts";
import type { Language } from "../locales/supported-languages.ts";
import { loadSharedPageTexts, type SharedPageTexts } from "../shared-page/page/page-texts.ts";
import { useDebounced } from "../ui/use-debounced.ts";
import { shareFailureText } from "./share-texts.ts";
import { sharesApi } from "./shares-api.ts";

const SETTLED_AFTER_MS = 500;

/** A rendered draft with its page, and the texts of such pages in a language. */
export type DraftPreview = { draft: ShareDraft; answer: SharedPageAnswer; texts: SharedPageTexts; language: Language };

export type ShareDraftState = {
  /** The last preview; it may be older than the options. Null before the first one. */
  preview: DraftPreview | null;
  /** Whether a draft for the current options is still being rendered. */
  isBusy: boolean;
  /** Of the current options. */
  failure: Failure | null;
  /** Renders the chat again, as it is now. */
  renderAgain: () => void;
};

/** Renders a draft of a chat at once, and again whenever its options have settled. */
export function useShareDraft(chatId: string, options: ShareOptions): ShareDraftState {
  const { language } = useLanguage();
  const settled = useDebounced(options, SETTLED_AFTER_MS);
  const [round, setRound] = useState(0);
  const [preview, setPreview] = useState<DraftPreview | null>(null);
  const [ended, setEnded] = useState<{ options: ShareOptions; round: number; failure: Failure | null } | null>(null);
  useEffect(() => {
    const own = new AbortController();
    const { signal } = own;
    const end = (failure: Failure | null) => setEnded({ options: settled, round, failure });
    const render = async () => {
      const draft = await sharesApi.render(chatId, settled, signal);
      const [answer, texts] = await Promise.all([sharesApi.readPage(draft.id, signal), loadSharedPageTexts(language)]);
      if (signal.aborted) return;
      setPreview({ draft, answer, texts, language });
      end(null);
    };
    render().catch((error: unknown) => !signal.aborted && end(toFailure(error, shareFailureText)));
    return () => own.abort();
  }, [chatId, settled, round, language]);
  const isBusy = ended?.options !== options || ended.round !== round;
  return { preview, isBusy, failure: isBusy ? null : ended.failure, renderAgain: () => setRound(round + 1) };
}
