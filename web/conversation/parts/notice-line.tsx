import { Info } from "lucide-react";
import { useTranslation } from "react-i18next";
import { efforts } from "#contract/effort.ts";
import type { NoticePart } from "#contract/known-parts.ts";
import { useModelName } from "../../models/use-model-name.ts";
import { useChatSession } from "../chat-session.ts";

/** A remark about how the text below it was written. Not shown if its parameters are those of a newer server. */
export function NoticeLine({ notice }: { notice: NoticePart }) {
  const { i18n } = useTranslation();
  const words = useNoticeWords(notice);
  if (words === null) return null;
  return (
    <p role="note" dir={i18n.dir()} className="part-line mb-3 flex items-start gap-2 text-muted text-sm leading-text">
      <Info aria-hidden="true" className="mt-[0.2em] size-4 shrink-0" />
      <span className="min-w-0">{words}</span>
    </p>
  );
}

function useNoticeWords({ at, code, params }: NoticePart): string | null {
  const { t } = useTranslation("parts");
  const { modelChoice } = useChatSession();
  const model = useModelName(modelChoice, String(params.model));
  const instead = useModelName(modelChoice, String(params.instead));
  if (code === "cut") return typeof params.messages === "number" ? t("notices.cut", { count: params.messages }) : null;
  if (code === "model") return t(at === 0 ? "notices.model" : "notices.continued", { model, instead });
  const [asked, used] = [params.asked, params.used].map((effort) => efforts.find((each) => each === effort));
  return asked && used ? t("notices.effort", { asked: t(`efforts.${asked}`), used: t(`efforts.${used}`) }) : null;
}
