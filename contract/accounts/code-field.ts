import * as z from "zod/mini";

const CODE_MAX = 64;

/** A code of the authenticator app or a recovery code, with or without separators. */
export const codeField = () => z.string().check(z.trim(), z.minLength(1), z.maxLength(CODE_MAX));
