import { nameOfError } from "../name-of-error.ts";

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
