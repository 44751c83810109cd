import type { Message } from "#contract/conversation/conversation.ts";
import type { SendResponse } from "#contract/conversation/conversation-calls.ts";
import { isEmptyMessage } from "#contract/conversation/parts.ts";
import {
  REPLY_DONE,
  type ReplyFailure,
  type ReplySeam,
  type ReplyStart,
  type ReplyThought,
  type ReplyToken,
  type ReplyWriter,
} from "#contract/conversation/reply-events.ts";
import { isRunning } from "#contract/conversation/reply-state.ts";
import { type ErrorCode, errorSentences } from "#contract/errors.ts";
import type { Database } from "../../database/schema.ts";
import { Failure } from "../../failure.ts";
import type { EventStream } from "../../http/streams/event-stream.ts";
import type { Seam } from "../../text/seams.ts";
import { findMessage, toErrorCode, toMessage } from "../message-store.ts";
import { isBehindCall } from "../parts/message-part.ts";
import { readParts } from "../parts/part-store.ts";
import { Backlog, type Position, partsOfReply, type ReadableReply, START, seamsOf } from "./backlog.ts";
import type { GrowingReply } from "./live-reply.ts";
import { waitForReply } from "./wait-for-reply.ts";

/** Returns the length of the text (UTF-16 units) at the start of a reply's last run. */
export function runStart(reply: ReadableReply): number {
  return seamsOf(reply).find(({ run }) => run === reply.run)?.at ?? 0;
}

/**
 * Streams a reply from a position: existing text, then new text, then the end. If the text becomes reasoning meanwhile,
 * everything follows anew, after another start.
 */
export async function streamReply(
  stream: EventStream,
  reply: ReadableReply | GrowingReply,
  position: Position,
): Promise<void> {
  // Another process has just started to write it, or will: the reader reconnects.
  if ("text" in reply ? !(await reply.runStored) : isRunning(reply.state)) {
    stream.breakOff();
    return;
  }
  if (stream.signal.aborted) return;
  const { run } = reply;
  const isTakenBack = () => "text" in reply && reply.writtenRun !== run;
  const backlog = new Backlog(reply, position);
  const { at, rev } = backlog;
  stream.send({ reply: reply.id, at, run, rev } satisfies ReplyStart);
  const seams = new SeamWriter(stream, at, (seam) => isBehindCall(partsOfReply(reply), seam));
  seams.write(seamsOf(reply));
  // Of a reply that has ended, the message has the writer.
  const first = "text" in reply ? reply.writer : null;
  if (first !== null) sendWriter(stream, first);
  for (let isBehind = true; isBehind && !stream.signal.aborted; ) {
    isBehind = false;
    for (const event of backlog.events()) {
      isBehind = true;
      stream.send(event);
      await stream.ready();
      if (stream.signal.aborted) return;
      if (isTakenBack()) return streamReply(stream, reply, START);
    }
  }
  if ("text" in reply) {
    if (reply.writer !== null && reply.writer !== first) sendWriter(stream, reply.writer);
    followLive(stream, reply, backlog.at, seams);
  } else endStream(stream, { code: toErrorCode(reply.error_code) });
}

const sendWriter = (stream: EventStream, writer: string) => stream.send({ writer } satisfies ReplyWriter);

/** Writes each seam after a position once. */
class SeamWriter {
  readonly #stream: EventStream;
  readonly #from: number;
  readonly #isHidden: (at: number) => boolean;
  readonly #sent = new Set<number>([0]);

  constructor(stream: EventStream, from: number, isHidden: (at: number) => boolean) {
    this.#stream = stream;
    this.#from = from;
    this.#isHidden = isHidden;
  }

  write(seams: readonly Pick<Seam, "at">[]): void {
    for (const { at } of seams) {
      if (at < this.#from || this.#sent.has(at) || this.#isHidden(at)) continue;
      this.#sent.add(at);
      this.#stream.send({ seam: at } satisfies ReplySeam);
    }
  }
}

type Ending = { code?: ErrorCode | undefined; retryAfterMs?: number | undefined };

function followLive(stream: EventStream, reply: GrowingReply, at: number, seams: SeamWriter): void {
  if (stream.signal.aborted) return;
  seams.write(reply.seams);
  const leave = reply.subscribe(at, {
    onWriter: (writer) => sendWriter(stream, writer),
    onText: (token, length) => stream.send({ token, at: length } satisfies ReplyToken),
    onPart: (event) => stream.send(event),
    onThought: (thought, seq, length) => stream.send({ thought, seq, length } satisfies ReplyThought),
    onSeam: (seam) => seams.write([{ at: seam }]),
    onTakeBack: () => {
      leave();
      streamReply(stream, reply, START).catch(() => stream.breakOff());
    },
    onEnd: (end) => endStream(stream, end),
    onBreakOff: () => stream.breakOff(),
  });
  stream.signal.addEventListener("abort", leave, { once: true });
}

function endStream(stream: EventStream, { code, retryAfterMs }: Ending): void {
  const failure = code && { error: errorSentences[code], code, ...(retryAfterMs !== undefined && { retryAfterMs }) };
  if (failure) stream.send(failure satisfies ReplyFailure);
  stream.end(REPLY_DONE);
}

/**
 * Waits for the end of a reply.
 * @returns the whole reply, with the text so far if it failed
 * @throws Failure `draining` if the process shuts down before the reply ends
 */
export async function awaitReply(
  database: Database,
  userId: string,
  question: Message,
  reply: ReadableReply,
): Promise<SendResponse> {
  if ("text" in reply && (await waitForReply(reply, {})) === "let go") throw new Failure("draining");
  const row = await findMessage(database, userId, reply.id);
  if (!row) throw new Failure("not-found");
  const parts = await readParts(database, row);
  const code = toErrorCode(row.error_code);
  return {
    user_message: question,
    ai_response: isEmptyMessage({ content: row.content, parts })
      ? null
      : toMessage(row, { text: row.content, parts, rev: row.rev }),
    error: code ? errorSentences[code] : null,
  };
}
