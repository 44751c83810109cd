import { setTimeout as delay } from "node:timers/promises";
import { promptName } from "./attachments/file-text.ts";
import type { Model, ModelEnd, ModelSink, Prompt, PromptMessage } from "./model.ts";
import { filesOf, textOf } from "./prompt-message.ts";

export const DEMO_MODEL = "DEMO:assistant";

const WORD_PAUSE_MS = 25;
const QUOTE_CHARS = 160;

/** Waits between two words; rejects when the signal is aborted. */
export type Pause = (ms: number, signal: AbortSignal) => Promise<unknown>;
const pauseByTimer: Pause = (ms, signal) => delay(ms, undefined, { signal });

/**
 * Model for servers without a provider. Explains how to configure one, names the files that it received, and shows the
 * formats that can be rendered.
 */
export class DemoAssistant implements Model {
  readonly value = DEMO_MODEL;
  readonly provider = "demo";
  readonly connectionId = "demo";
  readonly contextTokens = 1_000_000;
  readonly maxOutputTokens = 1000;
  readonly price = { input: 0, output: 0 };
  readonly #productName: () => string;
  readonly #pause: Pause;

  /** @param productName returns the current name */
  constructor(productName: () => string, pause: Pause = pauseByTimer) {
    this.#productName = productName;
    this.#pause = pause;
  }

  async stream(prompt: Prompt, sink: ModelSink, signal: AbortSignal): Promise<ModelEnd> {
    signal.throwIfAborted();
    const question = prompt.messages.findLast(({ role }) => role === "user") ?? { content: [] };
    for (const word of demoReply(this.#productName(), question).match(/\S+\s*/g) ?? []) {
      await this.#pause(WORD_PAUSE_MS, signal).catch((error) => {
        signal.throwIfAborted();
        throw error;
      });
      sink.onLife();
      sink.onText(word);
      signal.throwIfAborted();
    }
    return { reason: "complete" };
  }
}

type Question = Pick<PromptMessage, "content">;

function demoReply(productName: string, question: Question): string {
  return `${greeting(textOf(question))} I am the **built-in demo assistant** of ${inert(productName)}: no language model \
is set up on this server yet, so I can only show you around. ${received(question)}

A real model would answer that. An owner of this server connects one in the browser, under \
**Administration → Connections**. Or start the server with one of these variables:

| Variable | Who answers |
| --- | --- |
| \`OPENAI_API_KEY\` | GPT models by OpenAI |
| \`ANTHROPIC_API_KEY\` | Claude models by Anthropic |
| \`LOCAL_BASE_URL\` | Ollama, vLLM or any other OpenAI-compatible server |

For example, with models on your own machine:

\`\`\`sh
LOCAL_BASE_URL=http://127.0.0.1:11434/v1 npm start
\`\`\`

Until then, everything else is real:

1. Your chats are **stored**, and you find them again in the sidebar.
2. Replies are *streamed* word by word, as this one is.
3. Lists, tables and code are shown as you see them here.`;
}

function greeting(question: string): string {
  if (/^\s*(?:hi|hello|hey|good (?:morning|afternoon|evening))\b/i.test(question)) return "Hello!";
  if (/\bthank(?:s| you)\b/i.test(question)) return "You are welcome!";
  return question.includes("?") ? "Good question!" : "Thank you for your message!";
}

/** Returns what the person has sent: the beginning of the text, and the names of the files. */
function received(question: Question): string {
  const text = textOf(question);
  const names = filesOf(question)
    .map((file) => `- ${inert(promptName(file))}`)
    .join("\n");
  const list = names && `You attached these files, which I do not read:\n\n${names}`;
  return text.trim() === "" && list ? list : `You wrote:\n\n> ${quote(text)}${list && `\n\n${list}`}`;
}

/** Returns the beginning of the question on one line. */
function quote(question: string): string {
  const line = question.replaceAll(/\s+/g, " ").trim();
  const chars = [...line];
  return inert(chars.length > QUOTE_CHARS ? `${chars.slice(0, QUOTE_CHARS).join("").trimEnd()}…` : line);
}

/** Escapes a text, so that it is rendered neither as Markdown nor as HTML. */
function inert(text: string): string {
  return text
    .replaceAll("<", "‹")
    .replaceAll(">", "›")
    .replaceAll(/[\\`*_{}[\]()#+\-.!|~$&:]/g, "\\$&");
}
