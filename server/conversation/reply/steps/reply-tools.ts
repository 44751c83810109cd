import { SECOND } from "#contract/limits.ts";
import { AbortScope } from "../../../concurrency/abort-scope.ts";
import type { Clock } from "../../../concurrency/clock.ts";
import { internalFlow } from "../../../concurrency/internal-flow.ts";
import type { Log } from "../../../log.ts";
import type { OfferedTool, ToolCall } from "../../../models/tool-calls/tool-call.ts";
import { parseJson } from "../../../text/parse-json.ts";
import { isRecord } from "../../../text/wire-json.ts";
import type { ToolArguments, ToolContext, ToolOutcome, ToolReach } from "../../../tools/tool.ts";
import { ToolInputError } from "../../../tools/tool-input-error.ts";
import { callDigest, type NamedTool, offeredName, type Toolbox } from "../../../tools/toolbox.ts";
import type { ToolBody } from "../../parts/message-part.ts";

/** Longest result of a call that a model receives, in UTF-16 units. */
export const RESULT_MAX = 100_000;
/** Time limit of a call. */
const CALL_MS = 60 * SECOND;

export type ReplyToolsDeps = { clock: Clock; log: Log; toolbox: Pick<Toolbox, "slots"> };

/** Whose reply it is, and the tools that are switched on. */
export type ToolsOfReply = { tools: readonly NamedTool[] } & Pick<ToolContext, "userId" | "chatId" | "timeZone">;

/** A call whose tool is known and whose arguments are an object. */
export type ValidCall = { named: NamedTool; given: ToolArguments };

/** Returns a tool as models receive it. */
export const toOffered = ({ offeredName: name, tool: { description, parameters } }: NamedTool): OfferedTool => ({
  name,
  description,
  parameters,
});

/** The tools of one reply. */
export class ReplyTools {
  readonly #deps: ReplyToolsDeps;
  readonly #context: Omit<ToolsOfReply, "tools">;
  readonly #tools: ReadonlyMap<string, NamedTool>;
  /** As models receive them. */
  readonly offered: readonly OfferedTool[];

  constructor(deps: ReplyToolsDeps, { tools, ...context }: ToolsOfReply) {
    this.#deps = deps;
    this.#context = context;
    this.#tools = new Map(tools.map((named) => [named.offeredName, named]));
    this.offered = tools.map(toOffered);
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

  /** Runs a call. @param signal ends it @returns its result, also of a failure @throws the signal's reason */
  async run({ named, given }: ValidCall, signal: AbortSignal): Promise<ToolOutcome> {
    const { clock, log, toolbox } = this.#deps;
    // The reply may outlive the request that began it, so its calls queue with those of the account alone.
    const flow = internalFlow(this.#context.userId);
    using scope = new AbortScope({ parents: [signal], ms: CALL_MS });
    try {
      const { signal: limited } = scope;
      const call = () => named.tool.run(given, { ...this.#context, flow, now: clock.now(), signal: limited });
      return await toolbox.slots.run(flow, call, limited);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof ToolInputError) return { text: error.message, isError: true };
      if (scope.signal.aborted) return { text: "The tool took too long.", isError: true };
      log.warn({ err: error, tool: named.offeredName }, "tool failed");
      return { text: "The tool failed.", isError: true };
    }
  }
}
