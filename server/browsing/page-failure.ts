import { OutboundRefusal, type RefusalCode, type UnreachableReason } from "../outbound/outbound-refusal.ts";

/**
 * Why a page was not read: a code of the request; `too-complex`: reading it takes too much time or memory; `no-text`: it
 * has none, as pages that a script fills.
 */
export type PageFailureCode = RefusalCode | "too-complex" | "no-text";

/** Failure of reading a page. It contains no words of the page. */
export class PageFailure extends Error {
  readonly code: PageFailureCode;
  /** Of `unreachable`. */
  readonly reason: UnreachableReason | undefined;
  /** Of `bad-status`. */
  readonly status: number | undefined;

  constructor(code: PageFailureCode, { reason, status }: Pick<Partial<OutboundRefusal>, "reason" | "status"> = {}) {
    super([code, reason, status].filter((each) => each !== undefined).join(", "));
    this.name = "PageFailure";
    this.code = code;
    this.reason = reason;
    this.status = status;
  }

  /** Returns the failure of a refused request, and any other error as it is. */
  static of(error: unknown): unknown {
    return error instanceof OutboundRefusal ? new PageFailure(error.code, error) : error;
  }
}
