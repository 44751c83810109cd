import { field } from "../../text/wire-json.ts";

/**
 * A call whose result was lost, although its server may have run it. It has none of the words of the error: the SDK adds
 * bodies of answers to its own.
 */
export class LostCallError extends Error {
  override readonly name = "LostCallError";
  readonly status: number | undefined;

  constructor(error: unknown) {
    super(`The result of a call was lost: ${nameOfError(error)}`);
    // A getter of the SDK's errors.
    const status = error instanceof Error && "status" in error ? error.status : undefined;
    this.status = typeof status === "number" ? status : undefined;
  }
}

/** Returns the name of an error with its code, without any text from outside. */
export function nameOfError(error: unknown): string {
  const { name } = error instanceof Error ? error : { name: "unknown" };
  const code = field(error, "code") ?? field(field(error, "cause"), "code");
  const isWord = typeof code === "number" || (typeof code === "string" && /^[\w-]{1,40}$/.test(code));
  return isWord ? `${name}, ${code}` : name;
}
