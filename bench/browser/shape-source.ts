/**
 * A provider that streams the reply that the last question describes, such as `table 100000 5500`: a shape, its length
 * in UTF-16 units, and units per second. With a fourth word, `reasoning`, the text is reasoning before a short answer.
 * It also serves the yardsticks' page (`PAGES`), and the same text at `/words?say=…`.
 */
import { readFile } from "node:fs/promises";
import { join, normalize } from "node:path";
import process from "node:process";
import { setTimeout } from "node:timers/promises";
import type { AnswerWriter } from "../../testing/provider/answer-writer.ts";
import { openAiChatWire } from "../../testing/provider/openai/openai-chat-wire.ts";
import { startProvider } from "../../testing/provider/provider-server.ts";
import { reportPort } from "../harness/listen.ts";
import { shapes, textOf, tokensOf } from "./shapes.ts";

const TICK_MS = 10;
const TYPES: Record<string, string> = { html: "text/html", js: "text/javascript", css: "text/css" };
const encoder = openAiChatWire.encodeAnswer("bench");

async function stream(answer: AnswerWriter, question: string): Promise<void> {
  const [name, length = "20", pace = "1000000", kind] = question.split(" ");
  const shape = shapes.find((each) => each === name);
  const tokens = shape ? tokensOf(textOf(shape, Number(length))) : ["A", " title"];
  answer.begin({ "access-control-allow-origin": "*" });
  answer.push(encoder.start());
  const startedAt = performance.now();
  for (let sent = 0, at = 0; sent < tokens.length && !answer.isClosed; ) {
    const due = ((performance.now() - startedAt) / 1000) * Number(pace);
    while (sent < tokens.length && at <= due) {
      const content = tokens[sent] ?? "";
      answer.push(kind === "reasoning" ? encoder.reasoning(content) : encoder.text(content));
      at += content.length;
      sent += 1;
    }
    await setTimeout(TICK_MS);
  }
  if (kind === "reasoning") answer.push(encoder.text("A short answer."));
  answer.end(encoder.finish("complete") + encoder.endMark());
}

async function serveFile(answer: AnswerWriter, path: string): Promise<void> {
  const file = await readFile(join(process.env.PAGES ?? "", normalize(path))).catch(() => null);
  answer.respond(file ? 200 : 404, TYPES[path.split(".").at(-1) ?? ""], file ?? "");
}

const provider = await startProvider(({ kind, path, messages }, answer) => {
  const { pathname, searchParams } = new URL(path, "http://bench");
  if (pathname === "/words") return stream(answer, searchParams.get("say") ?? "");
  if (kind === "models" || kind === "other") return serveFile(answer, pathname);
  return stream(answer, kind === "title" ? "" : (messages.at(-1)?.content ?? ""));
});
reportPort(provider.port);
