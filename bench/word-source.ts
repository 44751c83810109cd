/** A provider that streams words as OpenAI's chat completions do: `WORDS` of them, `PACE_MS` apart (0: flooding). */
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import process from "node:process";

const words = Number(process.env.WORDS);
const paceMs = Number(process.env.PACE_MS);
const chunk = (delta: object, finish: string | null) =>
  `data: ${JSON.stringify({
    id: "chatcmpl-bench",
    object: "chat.completion.chunk",
    created: 1,
    model: "bench",
    choices: [{ index: 0, delta, finish_reason: finish }],
  })}\n\n`;
const word = chunk({ content: "word " }, null);

async function stream(response: ServerResponse): Promise<void> {
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.write(chunk({ role: "assistant", content: "" }, null));
  for (let sent = 0; sent < words; sent++) {
    if (paceMs > 0) await new Promise((resolve) => setTimeout(resolve, paceMs));
    else if (sent % 50 === 49) await new Promise(setImmediate);
    if (!response.write(word)) await new Promise((resolve) => response.once("drain", resolve));
  }
  response.write(chunk({}, "stop"));
  response.end("data: [DONE]\n\n");
}

const server = createServer((request, response) => {
  request.resume().on("end", () => void stream(response));
});
server.listen(0, "127.0.0.1", () => console.log(`listening on ${(server.address() as AddressInfo).port}`));
