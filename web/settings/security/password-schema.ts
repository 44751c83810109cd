import * as z from "zod/mini";
import { newPasswordField, presentPasswordField } from "#contract/accounts.ts";
import { rule } from "#contract/text/validation.ts";

const repeated = () => z.string({ error: rule("required") }).check(z.minLength(1, { error: rule("required") }));

const isRepeated = z.refine<{ password: string; confirmPassword: string }>(
  ({ password, confirmPassword }) => password === confirmPassword,
  { error: rule("mismatch"), path: ["confirmPassword"] },
);

/** The form that changes a password: what is sent, and the repeated password, which is not. */
export const changeFormSchema = (passwordMin: number) =>
  z
    .object({
      currentPassword: presentPasswordField(),
      password: newPasswordField(passwordMin),
      confirmPassword: repeated(),
    })
    .check(isRepeated);

/** The same for accounts without one. */
export const setFormSchema = (passwordMin: number) =>
  z.object({ password: newPasswordField(passwordMin), confirmPassword: repeated() }).check(isRepeated);
