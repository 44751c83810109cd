import { type FormEvent, type RefObject, useEffect, useRef, useState } from "react";
import * as z from "zod/mini";
import { type FieldIssue, fieldIssues, parseRule } from "#contract/validation.ts";
import { ApiError } from "../../api/api-error.ts";
import { brokenFields, issueText, textByCode } from "../../api/problem-text.ts";
import { type Failure, toFailure } from "./failure-text.ts";

type Errors<Name extends string> = Partial<Record<Name, string>>;

type Options<Name extends string, T> = {
  schema: z.core.$ZodType<T>;
  /** The fields in their order, named as in sentences. */
  labels: Record<Name, string>;
  /** Fields at which the server's refusals with these codes are told. */
  fieldOfCode?: Partial<Record<string, Name>>;
  /** Told instead of sending where nothing was changed. */
  unchanged?: string;
  /** Whether the first field takes the focus: the person has just asked for the form. */
  isFocused?: boolean;
  /** Resolves to what is told of the success, if it is told here. */
  send: (values: T) => Promise<string | null>;
};

export type CheckedForm<Name extends string> = {
  formProps: {
    ref: RefObject<HTMLFormElement | null>;
    noValidate: true;
    onSubmit: (event: FormEvent<HTMLFormElement>) => void;
    onInput: (event: FormEvent<HTMLFormElement>) => void;
  };
  fieldProps: (name: Name) => { name: Name; error: string | undefined; onInput: () => void; required: true };
  isBusy: boolean;
  /** Something stands in the fields that did not at first. */
  isChanged: boolean;
  failure: Failure | null;
  /** All errors of fields, for those who listen. */
  spoken: string;
  told: string | null;
};

/**
 * A form of a few fields, read and checked when it is sent. What breaks a rule is told at its field, and the first such
 * field takes the focus; typing into it takes the sentence away.
 */
export function useCheckedForm<Name extends string, T>(options: Options<Name, T>): CheckedForm<Name> {
  const { schema, labels, fieldOfCode = {}, unchanged, isFocused = false, send } = options;
  const form = useRef<HTMLFormElement>(null);
  const [errors, setErrors] = useState<Errors<Name>>({});
  const [isBusy, setBusy] = useState(false);
  const [isChanged, setChanged] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [told, setTold] = useState<string | null>(null);
  /** How often errors were told: each time asks for the focus, and typing, which takes errors away, does not. */
  const [tellings, setTellings] = useState(0);
  useFocus(form, Object.keys(labels), errors, tellings, isFocused);

  const tell = (broken: Errors<Name>) => {
    setErrors(broken);
    setTellings((before) => before + 1);
  };

  const refuse = (error: unknown) => {
    const broken = brokenBy(error, labels, fieldOfCode);
    tell(broken);
    if (Object.keys(broken).length === 0) setFailure(toFailure(error));
  };

  const submit = async (values: T) => {
    setBusy(true);
    try {
      setTold(await send(values));
      setChanged(false);
    } catch (error) {
      refuse(error);
    } finally {
      setBusy(false);
    }
  };

  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    // The button can be pressed meanwhile: one that is disabled would lose the focus.
    if (isBusy) return;
    setFailure(null);
    setTold(null);
    const checked = z.safeParse(schema, Object.fromEntries(new FormData(event.currentTarget)));
    tell(wordIssues(fieldIssues(checked.error?.issues ?? []), labels));
    if (!checked.success) return;
    if (unchanged !== undefined && !differs(event.currentTarget)) setTold(unchanged);
    else void submit(checked.data);
  };

  return {
    formProps: {
      ref: form,
      noValidate: true,
      onSubmit,
      onInput: (event) => {
        setChanged(differs(event.currentTarget));
        setTold(null);
      },
    },
    fieldProps: (name) => ({
      name,
      error: errors[name],
      onInput: () => setErrors(({ [name]: _, ...others }) => others as Errors<Name>),
      required: true,
    }),
    isBusy,
    isChanged,
    failure,
    spoken: Object.values(errors).join(". "),
    told,
  };
}

/** Only of the fields that the form has. */
function wordIssues<Name extends string>(issues: readonly FieldIssue[], labels: Record<Name, string>): Errors<Name> {
  const errors: Errors<Name> = {};
  for (const issue of issues) {
    for (const name in labels) if (name === issue.field) errors[name] = issueText(issue, labels[name]);
  }
  return errors;
}

/** What the server has found at the fields. */
function brokenBy<Name extends string>(
  error: unknown,
  labels: Record<Name, string>,
  fieldOfCode: Partial<Record<string, Name>>,
): Errors<Name> {
  const issues = brokenFields(error).map(({ field, rule }) => ({ field, ...parseRule(rule) }));
  const errors = wordIssues(issues, labels);
  const field = error instanceof ApiError ? fieldOfCode[error.code ?? ""] : undefined;
  const text = textByCode(error);
  if (field !== undefined && text !== null) errors[field] = text;
  return errors;
}

const inputsOf = (form: HTMLFormElement) => [...form.elements].filter((element) => element instanceof HTMLInputElement);

const differs = (form: HTMLFormElement) => inputsOf(form).some(({ value, defaultValue }) => value !== defaultValue);

/** The first field with an error takes the focus and, where it is wanted, the first of all at the beginning. */
function useFocus(
  form: RefObject<HTMLFormElement | null>,
  names: string[],
  errors: Partial<Record<string, string>>,
  tellings: number,
  isFocused: boolean,
): void {
  const focus = useRef((name: string | undefined) => {
    if (form.current && name)
      inputsOf(form.current)
        .find((input) => input.name === name)
        ?.focus();
  });
  const first = names[0];
  useEffect(() => {
    if (isFocused) focus.current(first);
  }, [isFocused, first]);
  const broken = names.find((name) => errors[name] !== undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only errors that are told anew ask for the focus
  useEffect(() => {
    focus.current(broken);
  }, [tellings]);
}
