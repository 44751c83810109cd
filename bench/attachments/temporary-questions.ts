import { text } from "node:stream/consumers";
import { setTimeout } from "node:timers/promises";
import { framedBody, temporaryRequest } from "../../testing/chats/temporary-request.ts";
import { openCall } from "../../testing/http/http-call.ts";
import { multiplyAccount } from "../harness/multiply-account.ts";
import { signUp, startParley } from "../harness/parley.ts";
import { startWordSource } from "../harness/streaming-servers.ts";
import type { Row } from "../results/row.ts";
import { noisePicture } from "./noise-picture.ts";

const QUESTIONS = 10;
const PICTURES = 10;
const PICTURE_BYTES = 1_950_000;
/** The bytes themselves, and what an upload may take beside them. */
const ALLOWED_MB = 300;
/** Time for garbage of the start to be collected before a measurement. */
const SETTLE_MS = 1000;

/**
 * Measures how much the server's memory grows with as many temporary questions of 20 MB as it accepts at once. Their
 * bytes are in memory until the replies end.
 */
export async function* measureTemporaryQuestions(): AsyncGenerator<Row[]> {
  await using source = await startWordSource({ words: 20, paceMs: 20 });
  await using parley = await startParley({ OPENAI_API_KEY: "bench", OPENAI_BASE_URL: `${source.url}/v1` });
  await signUp(parley);
  const tokens = await multiplyAccount({ ...parley, postgresUrl: undefined }, QUESTIONS);
  const ask = async (token: string, pictures: number) => {
    const files = Array.from({ length: pictures }, () => ({ name: "noise.png", bytes: noisePicture(PICTURE_BYTES) }));
    const bytes = framedBody(temporaryRequest([{ files }], { model: "GPT:gpt-5" }));
    const call = { method: "POST", path: "/temporary/reply", token, bytes, timeoutMs: 60_000 };
    return async () => {
      const answer = await openCall(parley.url, call);
      const words = await text(answer);
      if (!words.includes("[DONE]")) throw new Error(`A temporary question was answered with ${answer.statusCode}`);
    };
  };
  // Its modules are loaded, and its code is compiled.
  for (const token of tokens.slice(0, 1)) await (await ask(token, 1))();
  const questions = await Promise.all(tokens.map((token) => ask(token, PICTURES)));
  await setTimeout(SETTLE_MS);
  const { process } = parley;
  process.resetPeak();
  const before = process.rssMb();
  await Promise.all(questions.map((send) => send()));
  const value = process.peakMb() - before;
  const name = `memory of ${QUESTIONS} temporary questions of 20 MB at once`;
  yield [{ name, value, unit: "MB", allowed: ALLOWED_MB }];
}
