import * as z from "zod/mini";
import { appearanceChoices } from "./preferences.ts";

const { theme, contrast, motion, typeface, size, code, reasoning, send } = appearanceChoices;

/** Body of `PATCH preferences`: the changed ones, at least one. `language`: a BCP 47 tag, or `browser`. */
export const preferencesSchema = z
  .partial(
    z.object({
      language: z.string().check(z.maxLength(35), z.regex(/^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$/)),
      theme: z.enum(theme),
      contrast: z.enum(contrast),
      motion: z.enum(motion),
      typeface: z.enum(typeface),
      size: z.enum(size),
      code: z.enum(code),
      reasoning: z.enum(reasoning),
      send: z.enum(send),
    }),
  )
  .check(z.refine((change) => Object.keys(change).length > 0));
export type Preferences = z.infer<typeof preferencesSchema>;
