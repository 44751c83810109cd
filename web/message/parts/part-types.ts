import type { ReactNode } from "react";
import type { BlockInsert } from "../../markdown/inserts.ts";
import type { TextMark } from "../../markdown/text-marks.ts";

/** The message of a part, as far as its parts need it. */
export type PartOwner = {
  key: string;
  id: string | null;
  createdAt: number | undefined;
  isWriting: boolean;
  /** The reply goes on when a person has decided on its calls of tools. */
  isWaiting: boolean;
  /** The reply is being written, and has no text after its last part yet. */
  isAtEnd: boolean;
};

export type ShownParts = {
  /** Elements above the text. */
  above?: ReactNode;
  /** Elements between its blocks. */
  inserts?: readonly BlockInsert[];
  /** Marks of citations in its text. */
  marks?: readonly TextMark[];
  /** Elements below the text. */
  below?: ReactNode;
  /** Whether one of the elements shows that the model is at work. */
  isBusy?: boolean;
};
