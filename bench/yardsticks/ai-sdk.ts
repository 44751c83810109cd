/**
 * The yardstick: the chat server of the AI SDK's guide, in a few lines. It requests `SOURCE` by `streamText` and sends
 * the result as a UI message stream. It stores nothing and has no accounts.
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
