import { setTimeout } from "node:timers/promises";
import { createPostgresDatabase } from "../../testing/database/test-database.ts";
import { multiplyAccount } from "../harness/multiply-account.ts";
import { type MeasuredParley, post, signUp, startParley } from "../harness/parley.ts";
import { startWordSource } from "../harness/streaming-servers.ts";
import { upload } from "../harness/upload.ts";
import type { Row } from "../results/row.ts";
import { noisePicture } from "./noise-picture.ts";

const MB = 1_000_000;
const NAME = "noise.png";
const UPLOADS = 20;
const UPLOAD_BYTES = 20 * MB - 100_000;
const REPLIES = 10;
const PICTURES = 10;
const PICTURE_BYTES = 1.5 * MB;
const ALLOWED_MB = 100;
/** Time for garbage of the start to be collected before a measurement. */
const SETTLE_MS = 1000;

/**
 * Measures how much the server's memory grows with {@link UPLOADS} concurrent uploads of 20 MB, and with
 * {@link REPLIES} concurrent replies whose questions have {@link PICTURES} pictures each, on both databases.
 */
export async function* measureAttachments(): AsyncGenerator<Row[]> {
  yield await measureOn("SQLite");
  await using database = await createPostgresDatabase();
  yield await measureOn("PostgreSQL", database.url);
}

async function measureOn(engine: string, databaseUrl?: string): Promise<Row[]> {
  await using source = await startWordSource({ words: 20, paceMs: 20 });
  await using parley = await startParley({
    OPENAI_API_KEY: "bench",
    OPENAI_BASE_URL: `${source.url}/v1`,
    ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
  });
  const token = await signUp(parley);
  // One for each reply, because the concurrent replies of an account are limited.
  const tokens = await multiplyAccount({ ...parley, postgresUrl: databaseUrl }, REPLIES);
  const large = noisePicture(UPLOAD_BYTES);
  // Its modules are loaded, and its code is compiled.
  await upload(parley, token, { name: NAME, bytes: noisePicture(MB) });
  const uploads = await growthOf(parley, async () => {
    await Promise.all(Array.from({ length: UPLOADS }, () => upload(parley, token, { name: NAME, bytes: large })));
  });
  const questions = await prepareQuestions(parley, tokens);
  const replies = await growthOf(parley, async () => {
    await Promise.all(questions.map((ask) => ask()));
  });
  const row = (name: string, value: number): Row => ({ name, value, unit: "MB", allowed: ALLOWED_MB });
  return [
    row(`${engine}: memory of ${UPLOADS} uploads of 20 MB at once`, uploads),
    row(`${engine}: memory of ${REPLIES} replies at once, ${PICTURES} pictures each`, replies),
  ];
}

/** Returns the largest growth of resident memory during some work, in MB. */
async function growthOf({ process }: MeasuredParley, work: () => Promise<void>): Promise<number> {
  await setTimeout(SETTLE_MS);
  process.resetPeak();
  const before = process.rssMb();
  await work();
  return process.peakMb() - before;
}

/** Uploads the pictures of all questions. @returns functions that each send one and read its reply */
async function prepareQuestions(
  parley: MeasuredParley,
  tokens: readonly string[],
): Promise<(() => Promise<unknown>)[]> {
  const picture = noisePicture(PICTURE_BYTES);
  const questions: (() => Promise<unknown>)[] = [];
  for (const token of tokens) {
    const { id } = (await post(parley.url, "/chat", {}, token)) as { id: string };
    const files: string[] = [];
    for (let at = 0; at < PICTURES; at++) files.push(await upload(parley, token, { name: NAME, bytes: picture }));
    const body = { message: "Words, please", model: "GPT:gpt-5", files };
    questions.push(() => post(parley.url, `/chat/${id}/send`, body, token));
  }
  return questions;
}
