import { randomUUID } from "node:crypto";
import type { Question } from "../provider/question.ts";
import { ReplyReader } from "./reply-reader.ts";

/** One question in a chat, as the one who asked it knows it. Times are of `performance.now()`. */
export class Turn {
  readonly chatId: string;
  readonly question: Question;
  /** Names the send, however often it is tried. */
  readonly key = randomUUID();
  /** The readers of its reply, the asker first; a reply that was begun anew has new ones. */
  readers: [ReplyReader, ...ReplyReader[]] = [new ReplyReader()];
  /** When the server said that it has the question. */
  ackedAt: number | undefined;
  /** How often the rest, or a new reply, was asked for. */
  asksForMore = 0;
  /** When stop was asked for, and when the server said it is done. */
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

/** A chat as the one who writes in it knows it. */
export type ChatRecord = { id: string; turns: Turn[]; isDeleted: boolean };
