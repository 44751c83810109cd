import { Info } from "lucide-react";
import { useTranslation } from "react-i18next";
import { NOTICE_NAMES_MAX, type NoticePart, pictureLosses } from "#contract/conversation/known-parts.ts";
import { efforts } from "#contract/models/effort.ts";
import { useNamedModel } from "../message-context.ts";

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
  const { t, i18n } = useTranslation("parts");
  const model = useNamedModel(String(params.model));
  const instead = useNamedModel(String(params.instead));
  switch (code) {
    case "cut":
      return typeof params.messages === "number" ? t("notices.cut", { count: params.messages }) : null;
    case "model":
      return t(at === 0 ? "notices.model" : "notices.continued", { model, instead });
    case "effort": {
      const [asked, used] = [params.asked, params.used].map((effort) => efforts.find((each) => each === effort));
      return asked && used ? t("notices.effort", { asked: t(`efforts.${asked}`), used: t(`efforts.${used}`) }) : null;
    }
    case "file": {
      const { name } = params;
      const received = RECEIVED.find((each) => each === params.received);
      if (!received || typeof name !== "string") return null;
      if (params.reason === "no-pictures") return t("notices.file.noPictures", { name });
      if (params.reason === "animated") return t("notices.file.animated", { name });
      // A file that was refused is a picture, or a PDF of which the model received the text.
      if (params.reason === "refused")
        return t(`notices.file.refused.${received === "none" ? "none" : "text"}`, { name });
      return t(`notices.file.${received}`, { name });
    }
    case "files": {
      const { files, names } = params;
      if (typeof files !== "number" || typeof names !== "string") return null;
      return t("notices.files", { names: files > NOTICE_NAMES_MAX ? `…, ${names}` : names });
    }
    case "no-tool-run":
      return t("notices.noToolRun");
    case "tools-left-out":
      if (typeof params.tools !== "number") return null;
      return t("notices.toolsLeftOut", { tools: new Intl.NumberFormat(i18n.language).format(params.tools) });
    case "tools-ended":
      return t(`notices.toolsEnded.${params.reason === "failures" ? "failures" : "rounds"}`);
    case "picture": {
      const reason = pictureLosses.find((each) => each === params.reason);
      return reason ? t(`notices.picture.${reason}`) : null;
    }
    case "server-cut": {
      const { sent, received } = params;
      if (typeof sent !== "number" || typeof received !== "number") return null;
      const numbers = new Intl.NumberFormat(i18n.language);
      return t("notices.serverCut", { sent: numbers.format(sent), received: numbers.format(received) });
    }
    case "budget-low": {
      const budget = BUDGETS.find((each) => each === params.budget);
      if (!budget || typeof params.percent !== "number") return null;
      const format = new Intl.NumberFormat(i18n.language, { style: "percent" });
      return t(`notices.budget.${budget}`, { percent: format.format(params.percent / 100) });
    }
  }
}

/** Budgets that have notices. */
const BUDGETS = ["account", "group"] as const;

/** How much of a file the model has received. */
const RECEIVED = ["none", "text", "part"] as const;
