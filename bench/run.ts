import { cpus } from "node:os";
import process from "node:process";
import { measureIdleStreams } from "./idle-streams.ts";
import { measureStart } from "./start.ts";
import { measureStreamedWords } from "./streamed-words.ts";

console.log(`Node ${process.versions.node}, ${cpus().length} × ${cpus()[0]?.model}`);
await measureStart();
await measureStreamedWords();
await measureIdleStreams();
