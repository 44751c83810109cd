/**
 * A provider that streams `REASONING_WORDS` words of reasoning and then `WORDS` words of text as OpenAI's chat
 * completions, `PACE_MS` apart (0: without pauses). With `STAMPED` each word of text contains the time at which it was
 * sent: `t`, the monotonic clock of the machine in µs, `t`. A title has two words and no reasoning.
 */
import process from "node:process";
import type { AnswerWriter } from "../../testing/provider/answer-writer.ts";
import { openAiChatWire } from "../../testing/provider/openai/openai-chat-wire.ts";
import { startProvider } from "../../testing/provider/provider-server.ts";
import { reportPort } from "../harness/listen.ts";

const words = Number(process.env.WORDS);
const reasoningWords = Number(process.env.REASONING_WORDS);
const paceMs = Number(process.env.PACE_MS);
const isStamped = process.env.STAMPED !== undefined;
const encoder = openAiChatWire.encodeAnswer("bench");
const word = encoder.text("word ");
const reasoningWord = encoder.reasoning("word ");
const [beforeStamp, afterStamp] = encoder.text("STAMP").split("STAMP");
const wordNow = () => (isStamped ? `${beforeStamp}t${process.hrtime.bigint() / 1000n}t ${afterStamp}` : word);

/**
 * Calls `push` once per word, with a precomputed event, because this process shares the machine with the measured
 * server.
 */
async function stream(answer: AnswerWriter, count: number, reasoningCount: number): Promise<void> {
  answer.begin();
  answer.push(encoder.start());
  for (let sent = 0; sent < reasoningCount + count && !answer.isClosed; sent++) {
    // The first word of a stamped answer has no delay: the bench measures the time from there.
    if (paceMs > 0 && (sent > 0 || !isStamped)) await new Promise((resolve) => setTimeout(resolve, paceMs));
    else if (sent % 50 === 49) await new Promise(setImmediate);
    if (!answer.push(sent < reasoningCount ? reasoningWord : wordNow())) await answer.drained();
  }
  answer.end(encoder.finish("complete") + encoder.endMark());
}

const provider = await startProvider(({ kind }, answer) =>
  kind === "title" ? stream(answer, 2, 0) : stream(answer, words, reasoningWords),
);
reportPort(provider.port);
