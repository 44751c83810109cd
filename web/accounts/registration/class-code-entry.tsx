/** Field for a class code, below the registration. Loaded with the registration page. */

import { type FormEvent, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { accountPaths } from "#contract/accounts/paths.ts";
import {
  type ExchangedClassCode,
  exchangedClassCodeSchema,
  formatClassCode,
  isClassCode,
  toClassCode,
} from "#contract/administration/class-codes.ts";
import { api } from "../../api/client.ts";
import { detailText, isUnreachable, textByCode } from "../../api/problem-text.ts";
import { tooOftenText } from "../../api/wait-text.ts";
import { useSending } from "../../forms/use-sending.ts";
import { useWait } from "../../forms/use-wait.ts";
import classCode from "../../locales/en/classCode.json";
import { registerTexts } from "../../locales/i18n.ts";
import { Button } from "../../ui/components/button.tsx";
import { Field } from "../../ui/components/fields/field.tsx";
import { textLink } from "../../ui/components/text-link.ts";

registerTexts("classCode", classCode);

type ClassCodeEntryProps = {
  /** Code of the page's address; null for none. */
  code: string | null;
  /** Whether the field is shown without a press on the button. */
  isOpen: boolean;
  onFound: (found: ExchangedClassCode) => void;
};

export function ClassCodeEntry({ code, isOpen, onFound }: ClassCodeEntryProps) {
  const { t } = useTranslation("classCode");
  const [isRequested, setRequested] = useState(false);
  if (!isOpen && !isRequested && code === null) {
    return (
      <p className="-mb-5 text-sm">
        <button
          type="button"
          className={`${textLink} min-h-8 pointer-coarse:min-h-11`}
          onClick={() => setRequested(true)}
        >
          {t("open")}
        </button>
      </p>
    );
  }
  return <CodeForm key={code} code={code ?? ""} isFocused={isRequested || code !== null} onFound={onFound} />;
}

type CodeFormProps = { code: string; isFocused: boolean; onFound: (found: ExchangedClassCode) => void };

function CodeForm({ code, isFocused, onFound }: CodeFormProps) {
  const { t } = useTranslation("classCode");
  const input = useRef<HTMLInputElement>(null);
  const { value, change, submit, isSending, isHeld, error, spoken } = useClassCode(code, onFound);
  const focus = () => input.current?.focus();
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the form opens
  useEffect(() => {
    if (isFocused) focus();
  }, []);
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    void submit().then(focus);
  };
  return (
    <form noValidate onSubmit={onSubmit}>
      <div className="flex items-start gap-3">
        <Field
          className="min-w-0 flex-1 [&_input]:font-mono [&_input]:uppercase [&_input]:tracking-[0.12em]"
          ref={input}
          label={t("label")}
          hint={t("hint")}
          error={error ?? undefined}
          value={value}
          onChange={({ currentTarget }) => change(currentTarget)}
          dir="ltr"
          inputMode="text"
          enterKeyHint="go"
          autoComplete="off"
          autoCapitalize="characters"
          autoCorrect="off"
          spellCheck={false}
          maxLength={40}
          required
        />
        <Button
          type="submit"
          size="large"
          variant="secondary"
          busy={isSending}
          disabled={isHeld}
          className="mt-[1.625rem]"
        >
          {t(isSending ? "submitting" : "submit")}
        </Button>
      </div>
      <p role="alert" className="sr-only">
        {spoken}
      </p>
    </form>
  );
}

/** State of the field. `spoken`: the error for screen readers, without the countdown of a wait. */
function useClassCode(initial: string, onFound: (found: ExchangedClassCode) => void) {
  const { t } = useTranslation(["classCode", "app"]);
  const [value, setValue] = useState(() => formatClassCode(toClassCode(initial)));
  const [isIncomplete, setIncomplete] = useState(false);
  const textOf = (error: unknown) => {
    const text = textByCode(error) ?? detailText(error) ?? t("classCode:failed");
    return isUnreachable(error) ? `${text}. ${t("app:failure.unreachable")}` : text;
  };
  const { send, failure, dismiss, isSending, isHeld } = useSending(textOf);
  const { waitMs, leftMs } = useWait(failure?.error);

  const change = ({ value: typed, selectionStart }: HTMLInputElement) => {
    setIncomplete(false);
    // The end of a wait must not be skipped by typing.
    if (leftMs === 0) dismiss();
    // Formatting would move the caret to the end.
    setValue(selectionStart === typed.length ? formatClassCode(toClassCode(typed)) : typed);
  };
  const submit = async () => {
    const code = toClassCode(value);
    setIncomplete(!isClassCode(code));
    if (!isClassCode(code) || isHeld) return;
    await send(async () => onFound(await api.post(accountPaths.classCode, { code }, exchangedClassCodeSchema)));
  };
  const failed = failure && (waitMs === 0 ? failure.text : null);
  const wait = (ms: number) => (leftMs === 0 ? t("app:wait.over") : tooOftenText(ms));
  const message = isIncomplete ? t("classCode:incomplete") : failed;
  return {
    value,
    change,
    submit,
    isSending,
    isHeld,
    error: message ?? (failure && wait(leftMs)),
    spoken: message ?? (failure && wait(waitMs)),
  };
}
