import { MINUTE, SECOND } from "#contract/limits.ts";
import { AbortScope } from "../../../concurrency/abort-scope.ts";
import type { Clock } from "../../../concurrency/clock.ts";
import { internalFlow } from "../../../concurrency/internal-flow.ts";
import type { Files } from "../../../files/files.ts";
import type { Log } from "../../../log.ts";
import type { NamedFile } from "../../../models/attachments/file-text.ts";
import type { PromptFile } from "../../../models/model.ts";
import type { OfferedTool, ToolCall } from "../../../models/tool-calls/tool-call.ts";
import { parseJson } from "../../../text/parse-json.ts";
import { isRecord } from "../../../text/wire-json.ts";
import { fileTools } from "../../../tools/attached-files/file-tools.ts";
import type { CallWatch, LookupFile, ToolArguments, ToolContext, ToolOutcome, ToolReach } from "../../../tools/tool.ts";
import { ToolInputError } from "../../../tools/tool-input-error.ts";
import { callDigest, type NamedTool, offeredName, type Toolbox } from "../../../tools/toolbox.ts";
import type { CallAdmission, CallLimit } from "../../admission/call-limit.ts";
import type { ToolBody } from "../../parts/message-part.ts";
import { CallSlot } from "./call-slot.ts";

/** Time limit of a call, and of one that its server works on as a task. */
const CALL_MS = 60 * SECOND;
const TASK_MS = 10 * MINUTE;

/** `files`: absent where no message of a chat is stored. */
export type ReplyToolsDeps = {
  clock: Clock;
  log: Log;
  toolbox: Pick<Toolbox, "slots">;
  callLimit: Pick<CallLimit, "admit">;
  files?: Pick<Files, "textOf"> | undefined;
};

/** Whose reply it is, and the tools that are switched on. `leftOut`: number of those that are not offered. `hasReadOwn`: an earlier answer has read what is the person's. */
export type ToolsOfReply = { tools: readonly NamedTool[]; leftOut?: number; hasReadOwn?: boolean } & Pick<
  ToolContext,
  "userId" | "chatId" | "timeZone"
>;

/** As in {@link ToolContext}. */
type RunOptions = Pick<ToolContext, "room" | "signal" | "resumption" | "watch">;

/** A call whose tool is known and whose arguments are an object. */
export type ValidCall = { named: NamedTool; given: ToolArguments };

/** Returns a tool as models receive it. */
export const toOffered = ({ offeredName: name, tool: { description, parameters } }: NamedTool): OfferedTool => ({
  name,
  description,
  parameters,
});

/** Returns the reports of a call which change its time limit and its slot. */
const limitedWatch = (watch: CallWatch, limit: AbortScope, slot: CallSlot): CallWatch => ({
  onProgress: (progress) => watch.onProgress(progress),
  storeTask: async (state) => {
    limit.resume(TASK_MS);
    return watch.storeTask(state);
  },
  ask: async (forms) => {
    limit.pause();
    const answers = await slot.without(() => watch.ask(forms));
    limit.resume();
    return answers;
  },
});

/** The tools of one reply, with the tools that look up its files. */
export class ReplyTools {
  readonly #deps: ReplyToolsDeps;
  readonly #asked: ToolsOfReply;
  readonly #files: readonly LookupFile[];
  readonly #hasOwnFiles: boolean;
  readonly #tools: ReadonlyMap<string, NamedTool>;
  /** The tools that are switched on, as models receive them. */
  readonly offered: readonly OfferedTool[];
  /** The tools that look up files, offered while a file does not fit; none without files. */
  readonly ofFiles: readonly OfferedTool[];

  /**
   * @param own files of the branch, oldest first
   * @param results files of long results of the reply, oldest first
   */
  constructor(
    deps: ReplyToolsDeps,
    asked: ToolsOfReply,
    own: readonly LookupFile[] = [],
    results: readonly LookupFile[] = [],
  ) {
    this.#deps = deps;
    this.#asked = asked;
    const files = [...own, ...results];
    this.#files = files;
    this.#hasOwnFiles = own.length > 0;
    const ofFiles = files.length > 0 ? fileTools : [];
    this.#tools = new Map([...asked.tools, ...ofFiles].map((named) => [named.offeredName, named]));
    this.offered = asked.tools.map(toOffered);
    this.ofFiles = ofFiles.map(toOffered);
  }

  /**
   * Returns the tools with the files of the branch, and those of long results of the reply.
   * @param older of messages that the prompt does not have, oldest first
   * @param asked of the prompt, oldest first
   */
  withFiles(
    older: readonly NamedFile[],
    asked: readonly PromptFile[],
    results: readonly Pick<NamedFile, "id" | "name">[],
  ): ReplyTools {
    const { files } = this.#deps;
    const { userId } = this.#asked;
    const toStored = ({ id, name }: Pick<NamedFile, "id" | "name">): LookupFile => ({
      id,
      name,
      readText: async () => (await files?.textOf(userId, id))?.text ?? "",
    });
    const all: LookupFile[] = [
      ...older.filter(({ kind }) => kind !== "picture").map(toStored),
      ...asked.filter(({ kind, textBytes }) => kind !== "picture" && textBytes > 0),
    ];
    // A file that several messages name is one.
    const own = [...new Map(all.map((file) => [file.id, file])).values()];
    return new ReplyTools(this.#deps, this.#asked, own, results.map(toStored));
  }

  /**
   * Whether the context may have what belongs to the person, whatever the prompt names: an earlier answer has read it, or
   * files of older messages can be looked up, whose words an earlier answer may repeat. Results count as their calls do.
   */
  get mayKnowOwn(): boolean {
    return this.#asked.hasReadOwn === true || this.#hasOwnFiles;
  }

  /** Whether a file can be looked up. */
  hasFile(id: string): boolean {
    return this.#files.some((file) => file.id === id);
  }

  /** Number of the tools that are switched on and not offered. */
  get leftOut(): number {
    return this.#asked.leftOut ?? 0;
  }

  /** Whether no tool can be offered at all. */
  get isEmpty(): boolean {
    return this.#tools.size === 0;
  }

  /** Returns the tool and the arguments of a call of a model; a sentence for the model if it cannot be run. */
  validate({ name, arguments: json }: Pick<ToolCall, "name" | "arguments">): ValidCall | string {
    const named = this.#tools.get(name);
    if (!named) return `There is no tool “${name}” here.`;
    const given = parseJson(json);
    return isRecord(given) ? { named, given } : "The arguments are not a JSON object.";
  }

  /** Returns what the tool of a stored call reaches; undefined if the tool is not here any more. */
  reachOf({ server, name }: Pick<ToolBody, "server" | "name">): ToolReach | undefined {
    return this.#tools.get(offeredName({ group: server, name }))?.tool.reach;
  }

  /** Returns the tool and the arguments of a stored call; undefined if the tool is not here any more. */
  find({ server, name, arguments: json, digest }: ToolBody): ValidCall | undefined {
    const valid = this.validate({ name: offeredName({ group: server, name }), arguments: json });
    // A tool that has changed is another one than the person has seen.
    return typeof valid !== "string" && callDigest(valid.named, json) === digest ? valid : undefined;
  }

  /** Counts a call before it is sent, as {@link CallLimit.admit}. */
  admit({ named }: ValidCall, signal: AbortSignal): Promise<CallAdmission> {
    return this.#deps.callLimit.admit(named.tool, this.#asked.userId, signal);
  }

  /**
   * Runs a call. Its time limit begins with its slot, stops while it asks the person, and is longer for a task and for a
   * call that is resumed.
   * @returns its result or question, also of a failure @throws the signal's reason
   */
  async run({ named, given }: ValidCall, { room, signal, resumption, watch }: RunOptions): Promise<ToolOutcome> {
    const { clock, log, toolbox } = this.#deps;
    const { userId, chatId, timeZone } = this.#asked;
    // The reply may outlive the request that began it, so its calls queue with those of the account alone.
    const flow = internalFlow(userId);
    using scope = new AbortScope({ parents: [signal], ms: resumption ? TASK_MS : CALL_MS });
    const { signal: limited } = scope;
    using slot = new CallSlot(toolbox.slots, flow, limited);
    let isBegun = false;
    try {
      const context: ToolContext = {
        userId,
        chatId,
        timeZone,
        room,
        files: this.#files,
        flow,
        now: clock.now(),
        signal: limited,
        resumption,
        watch: watch && limitedWatch(watch, scope, slot),
      };
      scope.pause();
      await slot.acquire();
      scope.resume();
      isBegun = true;
      return await named.tool.run(given, context);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof ToolInputError) return { text: error.message, isError: true };
      if (!scope.signal.aborted) log.warn({ err: error, tool: named.offeredName }, "tool failed");
      const text = scope.signal.aborted ? "The tool took too long." : "The tool failed.";
      const { reach, isRepeatable } = named.tool;
      // A tool that acts outside may have acted before its connection broke off or its time was over.
      const isLost = isBegun && reach === "outside" && !isRepeatable;
      return { text, isError: true, ...(isLost && { isLost }) };
    }
  }
}
