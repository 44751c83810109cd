/**
 * The yardstick: what the AI SDK's guide shows for a chat. A server of a few lines that asks `SOURCE` by `streamText` and
 * sends what comes as a UI message stream. It stores nothing and knows nobody.
 */
import { createServer } from "node:http";
import process from "node:process";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { pipeUIMessageStreamToResponse, streamText, toUIMessageStream } from "ai";
import { listen } from "../harness/listen.ts";

const source = createOpenAICompatible({ name: "bench", apiKey: "bench", baseURL: `${process.env.SOURCE}/v1` });
const server = createServer((incoming, outgoing) => {
  incoming.resume().on("end", () => {
    const { stream } = streamText({ model: source("bench"), prompt: "Words, please" });
    void pipeUIMessageStreamToResponse({ response: outgoing, stream: toUIMessageStream({ stream }) });
  });
});
listen(server);
