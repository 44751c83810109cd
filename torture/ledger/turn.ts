import { randomUUID } from "node:crypto";
import type { Question } from "../provider/question.ts";
import { ReplyReader } from "./reply-reader.ts";

/** One question and its reply, from the client's view. Times are of `performance.now()`. */
export class Turn {
  readonly chatId: string;
  readonly question: Question;
  /** Idempotency key of the send. */
  readonly key = randomUUID();
  /** Readers of the reply, the sender's first; a retried reply has new readers. */
  readers: [ReplyReader, ...ReplyReader[]] = [new ReplyReader()];
  /** Time at which the server acknowledged the question. */
  ackedAt: number | undefined;
  /** Ids of the files that the question names. */
  files: string[] = [];
  /** Number of Continue and Retry requests. */
  asksForMore = 0;
  /** Times of the Stop request and of its acknowledgement. */
  stopAskedAt: number | undefined;
  stoppedAt: number | undefined;

  constructor(chatId: string, question: Question) {
    this.chatId = chatId;
    this.question = question;
  }

  get reader(): ReplyReader {
    return this.readers[0];
  }

  get replyId(): string | undefined {
    return this.readers[0].replyId;
  }

  addReader(): ReplyReader {
    const reader = new ReplyReader();
    reader.replyId = this.replyId;
    this.readers.push(reader);
    return reader;
  }
}

/** A chat from the client's view. */
export type ChatRecord = { id: string; turns: Turn[]; isDeleted: boolean };
