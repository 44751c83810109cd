import { type FormEvent, type RefObject, useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import * as z from "zod/mini";
import { fieldIssues } from "#contract/text/validation.ts";
import { ApiError } from "../api/api-error.ts";
import { textByCode } from "../api/problem-text.ts";
import {
  type FieldErrors,
  firstBroken,
  focusField,
  inputsOf,
  type Labels,
  refusedIssues,
  without,
  wordIssues,
} from "./field-errors.ts";
import { type Sending, type TextOf, useSending } from "./use-sending.ts";

type Options<Name extends string, T> = {
  schema: z.core.$ZodType<T>;
  labels: Labels<Name>;
  /** Field that shows the server's refusal, by error code. */
  fieldOfCode?: Partial<Record<string, Name>>;
  /** Returns the text of an error that belongs to no field. */
  textOf: TextOf;
  /** Text shown instead of sending if nothing was changed. */
  unchanged?: string;
  /** Whether the first field takes the focus on mount. */
  isFocused?: boolean;
  /** Resolves to the success message, or null if another component shows it. */
  send: (values: T) => Promise<string | null>;
};

export type CheckedForm<Name extends string> = Omit<Sending, "send"> & {
  formProps: {
    ref: RefObject<HTMLFormElement | null>;
    noValidate: true;
    onSubmit: (event: FormEvent<HTMLFormElement>) => void;
    onInput: (event: FormEvent<HTMLFormElement>) => void;
  };
  fieldProps: (name: Name) => { name: Name; error: string | undefined; onInput: () => void; required: true };
  /** Whether a field differs from its initial value. */
  isChanged: boolean;
  /** All field errors, for a live region. */
  spoken: string;
  status: string | null;
};

/**
 * State of a small form, read and validated on submit. Each violated rule is shown at its field, and the first such
 * field takes the focus; typing into a field clears its error.
 */
export function useCheckedForm<Name extends string, T>(options: Options<Name, T>): CheckedForm<Name> {
  const { schema, labels, fieldOfCode = {}, textOf, unchanged, isFocused = false, send } = options;
  const form = useRef<HTMLFormElement>(null);
  const { errors, showErrors, forget } = useFieldErrors(form, labels, isFocused);
  const [isChanged, setChanged] = useState(false);
  const [status, setStatus] = useState<string | null>(null);
  const { send: sendOnce, ...sending } = useSending(textOf);

  const submit = async (values: T) => {
    try {
      setStatus(await send(values));
      setChanged(false);
    } catch (error) {
      const broken = brokenBy(error, labels, fieldOfCode);
      showErrors(broken);
      if (Object.keys(broken).length === 0) throw error;
    }
  };

  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    // The button stays enabled while sending: a disabled one would lose the focus.
    if (sending.isSending) return;
    sending.dismiss();
    setStatus(null);
    const checked = z.safeParse(schema, Object.fromEntries(new FormData(event.currentTarget)));
    showErrors(wordIssues(fieldIssues(checked.error?.issues ?? []), labels));
    if (!checked.success) return;
    if (unchanged !== undefined && !differs(event.currentTarget)) setStatus(unchanged);
    else void sendOnce(() => submit(checked.data));
  };

  const onInput = (event: FormEvent<HTMLFormElement>) => {
    setChanged(differs(event.currentTarget));
    setStatus(null);
  };

  return {
    ...sending,
    formProps: { ref: form, noValidate: true, onSubmit, onInput },
    fieldProps: (name) => ({ name, error: errors[name], onInput: () => forget(name), required: true }),
    isChanged,
    spoken: Object.values(errors).join(". "),
    status,
  };
}

const differs = (form: HTMLFormElement) => inputsOf(form).some(({ value, defaultValue }) => value !== defaultValue);

/** Returns the field errors of the server's refusal. */
function brokenBy<Name extends string>(
  error: unknown,
  labels: Labels<Name>,
  fieldOfCode: Partial<Record<string, Name>>,
): FieldErrors<Name> {
  const errors = wordIssues(refusedIssues(error), labels);
  const field = error instanceof ApiError ? fieldOfCode[error.code ?? ""] : undefined;
  const text = textByCode(error);
  if (field !== undefined && text !== null) errors[field] = text;
  return errors;
}

/** Focuses the first field with an error when errors are shown; with `isFocused`, the first field on mount. */
function useFieldErrors<Name extends string>(
  form: RefObject<HTMLFormElement | null>,
  labels: Labels<Name>,
  isFocused: boolean,
) {
  const [errors, setErrors] = useState<FieldErrors<Name>>({});
  const [firstFocused] = useState(isFocused ? Object.keys(labels)[0] : undefined);
  useEffect(() => focusField(form.current, firstFocused), [form, firstFocused]);
  return {
    errors,
    showErrors: (shown: FieldErrors<Name>) => {
      // Render the sentence before the focus moves: a screen reader then announces it with its field.
      flushSync(() => setErrors(shown));
      focusField(form.current, firstBroken(labels, shown));
    },
    forget: (name: Name) => setErrors((before) => without(before, name)),
  };
}
