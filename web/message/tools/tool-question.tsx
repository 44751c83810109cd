/** Lazy module of the forms by which tools ask, with its texts. */

import { ExternalLink } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { ToolPart } from "#contract/conversation/known-parts.ts";
import type { ToolForm, ToolQuestion } from "#contract/conversation/tool-forms.ts";
import toolForms from "../../locales/en/toolForms.json";
import { registerTexts } from "../../locales/i18n.ts";
import { Button } from "../../ui/components/button.tsx";
import { FormFieldInput } from "./form-fields.tsx";
import { QuestionCard } from "./question-card.tsx";
import { HostOfServer } from "./server-of-call.tsx";
import { useToolName } from "./tool-name.ts";
import { type QuestionState, useQuestion } from "./use-question.ts";

registerTexts("toolForms", toolForms);

type ToolQuestionFormProps = {
  part: ToolPart;
  question: ToolQuestion;
  /** Id of the message. */
  reply: string | null;
  /** Key of the calls at its position. */
  calls: string;
};

/** The forms of a call that asks the person: fields, or a page to open. */
export default function ToolQuestionForm({ part, question, reply, calls }: ToolQuestionFormProps) {
  const { t } = useTranslation("toolForms");
  const { t: ofParts } = useTranslation("parts");
  const tool = useToolName()(part);
  const state = useQuestion(part, question, reply);
  const { isSending, error } = state;
  const server = part.from?.name ?? tool;
  const hasFields = question.forms.some(({ url }) => url === undefined);
  return (
    <QuestionCard
      title={ofParts("tools.asksYou", { name: server })}
      text={
        part.from && (
          <div className="text-muted [overflow-wrap:anywhere]">
            <bdi>{tool}</bdi>
            {" · "}
            <HostOfServer host={part.from.host} />
          </div>
        )
      }
      calls={calls}
      error={error}
    >
      {/* The browser's own validation does not know the rules of the server. */}
      <form
        noValidate
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          state.send();
        }}
      >
        {question.forms.map((form, index) => (
          <FormBody key={form.key} form={form} index={index} state={state} />
        ))}
        {hasFields && <p className="text-muted">{t("goesTo", { server })}</p>}
        <div className="flex flex-wrap gap-2">
          <Button type="submit" size="small" busy={isSending === "submit"} aria-disabled={isSending !== null}>
            {t(hasFields ? "send" : "done")}
          </Button>
          <Button
            variant="secondary"
            size="small"
            busy={isSending === "no"}
            aria-disabled={isSending !== null}
            onClick={state.refuse}
          >
            {t("refuse")}
          </Button>
        </div>
      </form>
    </QuestionCard>
  );
}

type FormBodyProps = { form: ToolForm; index: number; state: QuestionState };

function FormBody({ form, index, state }: FormBodyProps) {
  return (
    <div className="grid gap-3">
      {form.message !== "" && (
        <p dir="auto" className="whitespace-pre-wrap [overflow-wrap:anywhere]">
          {form.message}
        </p>
      )}
      {form.url === undefined ? (
        form.fields.map((field, at) => (
          <FormFieldInput
            key={field.name}
            field={field}
            entry={state.entries[index]?.[at] ?? ""}
            problem={state.problemAt(index, field.name)}
            onChange={(entry) => state.change(index, at, entry)}
            inputRef={state.refOf(index, field.name)}
          />
        ))
      ) : (
        <PageToOpen address={form.url} />
      )}
    </div>
  );
}

/** A page that a server asks the person to open: its host in words, its whole address, and a link. */
function PageToOpen({ address }: { address: string }) {
  const { t } = useTranslation("toolForms");
  const url = openable(address);
  return (
    <>
      <p>{url ? t("pageAt", { host: url.host }) : t("unsafe")}</p>
      <p
        dir="ltr"
        className="max-h-40 overflow-y-auto break-all rounded-small bg-sunken px-3 py-2 text-start font-mono text-xs"
      >
        {url?.href ?? address}
      </p>
      {url && (
        <a
          href={url.href}
          target="_blank"
          rel="noopener noreferrer nofollow"
          className="inline-flex min-h-8 items-center gap-1.5 justify-self-start rounded-control border border-outline bg-raised px-3 py-1 font-medium text-ink hover:bg-hover pointer-coarse:min-h-11"
        >
          {t("open")}
          <ExternalLink aria-hidden="true" className="size-4" />
        </a>
      )}
    </>
  );
}

/** Returns a web address without a name and a password, which would disguise its host; null for any other. */
function openable(address: string): URL | null {
  const url = URL.parse(address);
  if (!url || (url.protocol !== "https:" && url.protocol !== "http:")) return null;
  return url.username === "" && url.password === "" ? url : null;
}
