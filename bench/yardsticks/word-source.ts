/**
 * A provider that streams words as OpenAI's chat completions do: `WORDS` of them, `PACE_MS` apart (0: flooding). With
 * `STAMPED` each word tells when it was sent: `t` and the machine's monotonic µs and `t`. A question for a title is
 * answered in two words.
 */
import { createServer, type ServerResponse } from "node:http";
import process from "node:process";
import { TITLE_MARKER } from "../../server/models/title-prompt.ts";
import { beginStream, chunk, endStream } from "../ground/completion-stream.ts";
import { listen } from "../ground/listen.ts";

const words = Number(process.env.WORDS);
const paceMs = Number(process.env.PACE_MS);
const isStamped = process.env.STAMPED !== undefined;
const word = chunk({ content: "word " });
const [beforeStamp, afterStamp] = chunk({ content: "STAMP" }).split("STAMP");
const wordNow = () => (isStamped ? `${beforeStamp}t${process.hrtime.bigint() / 1000n}t ${afterStamp}` : word);

async function stream(response: ServerResponse, count: number): Promise<void> {
  beginStream(response);
  for (let sent = 0; sent < count && !response.destroyed; sent++) {
    // A first word without delay, as what it takes beyond that is measured.
    if (paceMs > 0 && (sent > 0 || !isStamped)) await new Promise((resolve) => setTimeout(resolve, paceMs));
    else if (sent % 50 === 49) await new Promise(setImmediate);
    if (!response.write(wordNow()))
      await new Promise((resolve) => response.once("drain", resolve).once("close", resolve));
  }
  endStream(response);
}

const server = createServer((request, response) => {
  let body = "";
  request.setEncoding("utf8").on("data", (text: string) => {
    body += text;
  });
  request.on("end", () => void stream(response, body.includes(TITLE_MARKER) ? 2 : words));
});
listen(server);
