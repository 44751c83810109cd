import process from "node:process";
import { createInterface } from "node:readline/promises";
import { text } from "node:stream/consumers";
import { readProgramVersion } from "../config/program-version.ts";
import { readSecretFile } from "../config/secret-files.ts";
import type { World } from "./command.ts";
import { runAdmin } from "./run.ts";

/** Entry point of `npm run admin`: runs the command of the command line, and sets the exit code. */

// As in the server, because a command may create the database before the first start.
process.umask(0o077);

const world: World = {
  env: process.env,
  readFile: readSecretFile,
  version: await readProgramVersion(),
  out: (line) => console.log(line),
  err: (line) => console.error(line),
  onInterrupt: (listener) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, listener);
    return () => {
      for (const signal of ["SIGINT", "SIGTERM"] as const) process.off(signal, listener);
    };
  },
  readInput: () => text(process.stdin),
  ...(process.stdin.isTTY && {
    ask: async (question: string) => {
      using lines = createInterface({ input: process.stdin, output: process.stderr });
      return lines.question(question);
    },
  }),
};
process.exitCode = await runAdmin(process.argv.slice(2), world);
