import { measureAdministration } from "./administration/administration.ts";
import { measureAttachments } from "./attachments/attachments.ts";
import { measureDocumentLimits } from "./attachments/document-limits.ts";
import { measureReadDocuments } from "./attachments/read-documents.ts";
import { measureTemporaryQuestions } from "./attachments/temporary-questions.ts";
import { measureBrowser } from "./browser/browser.ts";
import { measureWire } from "./browser/wire.ts";
import { measureStart } from "./footprint/start.ts";
import { measureGrowth } from "./growth/growth.ts";
import { measureHolds } from "./holds/holds.ts";
import { measureLargeChat } from "./large-chat/large-chat.ts";
import { measureMovingIn } from "./moving-in/moving-in.ts";
import { measureMovingInBrowser } from "./moving-in/moving-in-browser.ts";
import type { Row } from "./results/row.ts";
import { measureShares } from "./shares/shares.ts";
import { measureSoak } from "./soak/soak.ts";
import { measureFirstWord } from "./streams/first-word.ts";
import { measureIdleStreams } from "./streams/idle-streams.ts";
import { measurePacedStreams } from "./streams/paced-streams.ts";
import { measureSendBursts } from "./streams/send-bursts.ts";
import { measureSignInStorm } from "./streams/sign-in-storm.ts";
import { measureStreamedWords } from "./streams/streamed-words.ts";
import { measureToolSteps } from "./streams/tool-steps.ts";

/** Options that restrict single benches. */
export type BenchOptions = {
  rows: readonly number[];
  part: readonly string[];
  shape: readonly string[];
  runs: number;
  kb: number;
  hasYardsticks: boolean;
  minutes: number;
};

/** A bench returns its rows at the end, or yields them as they are measured. */
export type Bench = { about: string; measure: (options: BenchOptions) => Promise<Row[]> | AsyncIterable<Row[]> };

/** Benches by the name that `--only` takes. */
export const benches: Record<string, Bench> = {
  start: { about: "time to listen, idle memory, installed packages", measure: measureStart },
  "streamed-words": {
    about: "processor time of a streamed word, compared with a raw pipe and the AI SDK",
    measure: measureStreamedWords,
  },
  "first-word": { about: "latency from a question to its first word", measure: measureFirstWord },
  "tool-steps": { about: "overhead of a step of a reply that calls tools, on SQLite", measure: measureToolSteps },
  "send-bursts": {
    about: "50 and 300 simultaneous sends on SQLite and PostgreSQL: first word, number refused",
    measure: measureSendBursts,
  },
  "paced-streams": {
    about: "lateness of words and memory with 100, 500 and 1,000 running replies",
    measure: measurePacedStreams,
  },
  "idle-streams": { about: "memory of 1,000 and 10,000 idle event streams", measure: measureIdleStreams },
  "sign-in-storm": { about: "lateness of words while many people sign in", measure: measureSignInStorm },
  soak: {
    about: "memory during minutes of ordinary use, and memory retained after a reply has ended",
    measure: ({ minutes }) => measureSoak(minutes),
  },
  "large-chat": {
    about: "memory of ten simultaneous reads of a chat of 200 MB, with a heap of 400 MB, on SQLite and PostgreSQL",
    measure: measureLargeChat,
  },
  attachments: {
    about: "memory of 20 uploads of 20 MB at once, and of 10 replies with 10 pictures each, on SQLite and PostgreSQL",
    measure: measureAttachments,
  },
  "temporary-questions": {
    about: "memory of 10 questions of temporary chats with 20 MB of pictures each at once",
    measure: measureTemporaryQuestions,
  },
  "document-limits": {
    about: "time and memory of reading a PDF of 200 pages and a workbook of 100,000 cells, against their limits",
    measure: measureDocumentLimits,
  },
  shares: { about: "views of a link at 200 a second, and the time of its snapshot", measure: measureShares },
  "read-documents": {
    about: "lateness of words while a PDF of 200 pages is read again and again",
    measure: measureReadDocuments,
  },
  "moving-in": {
    about: "conversion of an export of ChatGPT, and the import of its 10,000 messages",
    measure: measureMovingIn,
  },
  "moving-in-browser": {
    about: "memory of the tab while an archive of 1 GB of ChatGPT is imported in Chromium",
    measure: measureMovingInBrowser,
  },
  holds: {
    about: "longest hold of the event loop, for each costly text and route, and for the largest arrays of the contract",
    measure: ({ part }) => measureHolds(part),
  },
  growth: {
    about: "history, a chat and search among 1k to 1M messages, on SQLite and PostgreSQL",
    measure: ({ rows }) => measureGrowth(rows),
  },
  administration: {
    about: "lists of administration with 10,000 accounts and a million records, on SQLite and PostgreSQL",
    measure: measureAdministration,
  },
  wire: { about: "bytes and requests of a first visit to sign-in and chat, with headers", measure: measureWire },
  browser: {
    about: "weight and paint of pages; cost of streaming, typing, long chats and many models in Chromium",
    measure: ({ part, shape, runs, kb, hasYardsticks }) =>
      measureBrowser({ parts: part, shapes: shape, runs, length: kb * 1000, hasYardsticks }),
  },
};
