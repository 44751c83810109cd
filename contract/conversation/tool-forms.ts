/** Forms by which a tool asks the person while it runs. Separate, because only calls of tools load them. */

import * as z from "zod/mini";

/** Fields of one form, and forms of one call. */
export const FORM_FIELDS_MAX = 50;
export const FORMS_MAX = 10;
/** Options of a field. */
export const FORM_OPTIONS_MAX = 500;

/** `choice`: one of the options. `choices`: any of them. */
export const formFieldKinds = ["text", "number", "integer", "boolean", "choice", "choices"] as const;

const formValueSchema = z.union([
  z.string(),
  z.number(),
  z.boolean(),
  z.array(z.string()).check(z.maxLength(FORM_OPTIONS_MAX)),
]);
export type FormValue = z.infer<typeof formValueSchema>;

/** Limits of a text count UTF-16 units. `format`: of JSON Schema: `email`, `uri`, `date` or `date-time`. */
export const formFieldSchema = z.object({
  name: z.string(),
  kind: z.enum(formFieldKinds),
  title: z.optional(z.string()),
  description: z.optional(z.string()),
  isRequired: z.boolean(),
  format: z.optional(z.string()),
  minLength: z.optional(z.number()),
  maxLength: z.optional(z.number()),
  minimum: z.optional(z.number()),
  maximum: z.optional(z.number()),
  minItems: z.optional(z.number()),
  maxItems: z.optional(z.number()),
  options: z.optional(z.array(z.object({ value: z.string(), label: z.string() })).check(z.maxLength(FORM_OPTIONS_MAX))),
  default: z.optional(formValueSchema),
});
export type FormField = z.infer<typeof formFieldSchema>;

/** `key`: names the form in the answer. `url`: a page that the person is asked to open instead of filling in fields. */
export const toolFormSchema = z.object({
  key: z.string(),
  message: z.string(),
  url: z.optional(z.string()),
  fields: z.array(formFieldSchema).check(z.maxLength(FORM_FIELDS_MAX)),
});
export type ToolForm = z.infer<typeof toolFormSchema>;

/** What a tool asks. `id`: changes with each question of a call, so that an answer cannot be given to another one. */
export const toolQuestionSchema = z.object({
  id: z.string(),
  forms: z.array(toolFormSchema).check(z.maxLength(FORMS_MAX)),
});
export type ToolQuestion = z.infer<typeof toolQuestionSchema>;

/** The answer to a {@link ToolQuestion}. `values`: by the names of the fields; an absent one was left empty. */
export const formAnswersSchema = z.object({
  id: z.string(),
  forms: z
    .array(z.object({ key: z.string(), values: z.catchall(z.object({}), formValueSchema) }))
    .check(z.maxLength(FORMS_MAX)),
});
export type FormAnswers = z.infer<typeof formAnswersSchema>;
