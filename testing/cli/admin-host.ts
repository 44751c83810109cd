import process from "node:process";
import * as z from "zod/mini";
import { runAdmin } from "../../server/cli/run.ts";
import { readSecretFile } from "../../server/config/secret-files.ts";

/**
 * A process that runs commands of `npm run admin` in sequence for `run-admin.ts`, and ends with its parent process.
 * Loading the program from its source takes longer than most commands.
 */
const requestSchema = z.object({ words: z.array(z.string()), env: z.record(z.string(), z.optional(z.string())) });

process.on("disconnect", () => process.exit());
process.on("message", async (message) => {
  const { words, env } = requestSchema.parse(message);
  const [out, err]: [string[], string[]] = [[], []];
  const code = await runAdmin(words, {
    env,
    readFile: readSecretFile,
    version: "0.0.0",
    out: (line) => out.push(`${line}\n`),
    err: (line) => err.push(`${line}\n`),
    readInput: async () => "",
  });
  process.send?.({ code, out: out.join(""), err: err.join("") });
});
