import { type FileHandle, open } from "node:fs/promises";
import { basename } from "node:path";
import { FileRefusal } from "#contract/transfer/archive/file-refusal.ts";
import { HeavyReads } from "../../concurrency/heavy-reads.ts";
import { storesSettingsOf } from "../../files/stores/open-stores.ts";
import { type Call, type Command, type Outcome, Refusal } from "../command.ts";
import { withAccountNamed } from "../users/users-named.ts";
import { openAccountTarget } from "./account-target.ts";
import { FileRange } from "./file-range.ts";
import { type AnyReport, importAny } from "./import-any.ts";
import { refusedOf, reportLines } from "./report-lines.ts";
import { transferWords } from "./report-words.ts";

/** Command that imports a file of chats into an account. */
export const importCommand: Command = {
  name: "import",
  usage: "FILE --for USER [--folder NAME] [--again] [--instructions]",
  summary: "Imports an export of ChatGPT, Claude, Open WebUI, LibreChat or Parley into an account.",
  details: [
    "FILE is JSON or a zip, as the service has made it. USER is a username, an address or an id.",
    "--folder NAME   the folder of the imported chats; a new name creates it",
    "--again         also imports chats that the account has imported and deleted",
    "--instructions  takes over the custom instructions of the file, if the account has none",
    "Chats that the account has already are skipped: a repeat adds the rest. Ctrl-C stops after the current chat.",
    "Ends with exit code 4 if a chat or a file was refused.",
  ],
  options: {
    for: { type: "string" },
    folder: { type: "string" },
    again: { type: "boolean" },
    instructions: { type: "boolean" },
  },
  operands: { min: 1, max: 1 },
  run: async (call) => {
    const user = call.text("for");
    if (!user) throw new Refusal("Name the account: --for USER.", "usage");
    const path = call.operand(0);
    await using handle = await openFile(path);
    const { size } = await handle.stat();
    const file = new FileRange(handle, { from: 0, size });
    return await withAccountNamed(call, user, async (deps, { id, username }) => {
      call.print(`Imports ${basename(path)} into the account ${username}.`);
      await using opened = new AsyncDisposableStack();
      const signal = interruptionOf(call, opened);
      const stores = storesSettingsOf(call.configuration());
      const heavyReads = opened.use(new HeavyReads());
      const target = await openAccountTarget(opened, { ...deps, stores, heavyReads }, { userId: id, signal });
      const result = await importAny(file, { ...target, signal, choice: choiceOf(call), ...progressOf(call) }).catch(
        (error: unknown) => {
          throw signal.aborted ? new Refusal("Nothing was imported: the command was stopped.") : refusalOf(error);
        },
      );
      return outcomeOf(basename(path), { id, username }, result);
    });
  },
};

/** @throws Refusal if there is no such file, or it cannot be read */
async function openFile(path: string): Promise<FileHandle> {
  try {
    await using opened = new AsyncDisposableStack();
    const handle = opened.use(await open(path, "r"));
    if (!(await handle.stat()).isFile()) throw new Error("It is no file.");
    opened.move();
    return handle;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Refusal(`${path} cannot be read: ${reason}`, "refused", { cause });
  }
}

const choiceOf = (call: Call) => ({
  folder: (call.text("folder") ?? "").trim(),
  again: call.has("again"),
  instructions: call.has("instructions"),
});

const PROGRESS_PERCENT = 10;

/** Prints each tenth of the progress once. */
function progressOf(call: Call) {
  const printed = { reading: 0, importing: 0 };
  const words = { reading: "read", importing: "imported" };
  return {
    onProgress(phase: keyof typeof printed, share: number) {
      const percent = Math.floor((share * 100) / PROGRESS_PERCENT) * PROGRESS_PERCENT;
      if (percent <= printed[phase]) return;
      printed[phase] = percent;
      call.print(`${percent}% ${words[phase]}`);
    },
  };
}

const fileRefusals = {
  "not-an-export": transferWords.notAnExport,
  "newer-export": transferWords.newerExport,
  "broken-archive": transferWords.brokenArchive,
  "archive-too-complex": transferWords.archiveTooComplex,
} as const satisfies Record<FileRefusal["reason"], string>;

const refusalOf = (error: unknown): unknown =>
  error instanceof FileRefusal ? new Refusal(fileRefusals[error.reason], "refused", { cause: error }) : error;

function outcomeOf(name: string, user: { id: string; username: string }, result: AnyReport): Outcome {
  const { service, ending, report, brokenChats } = result;
  const refused = refusedOf(result);
  const isUnsound = refused + report.lostFiles.length > 0;
  const word = ending.kind === "done" ? (isUnsound ? "unsound" : "done") : "failed";
  return {
    data: { ...user, service: service ?? "parley", ending: ending.kind, refused, brokenChats, ...report },
    lines: reportLines(name, result),
    word,
  };
}

/** Returns a signal that is aborted when the command is interrupted. */
function interruptionOf({ world }: Call, opened: AsyncDisposableStack): AbortSignal {
  const controller = new AbortController();
  const stop = world.onInterrupt?.(() => controller.abort());
  opened.defer(() => stop?.());
  return controller.signal;
}
