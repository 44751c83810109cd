import { countField, field, isRecord, textField } from "../../text/wire-json.ts";
import { type AnswerCalls, argumentsObject, CallBounds, sendableName, type ToolCall } from "./tool-call.ts";

type Block = { block: Record<string, unknown>; json: string };

/** Types of blocks that go back to Anthropic with the results of the calls. */
const RETURNED = ["text", "thinking", "redacted_thinking", "tool_use"];

/** Fields of blocks that deltas of the same name add to. */
const GROWING = ["text", "thinking", "signature"];

/**
 * Joins the blocks of one of Anthropic's answers: its calls, and the blocks with their signatures, which the API requires
 * back unchanged within a loop of calls.
 */
export class AnthropicBlocks {
  readonly #blocks = new Map<number, Block>();
  readonly #isReturned: boolean;
  readonly #bounds = new CallBounds();

  /** @param isReturned whether the answer goes back to the provider with the results of its calls */
  constructor(isReturned: boolean) {
    this.#isReturned = isReturned;
  }

  /**
   * Begins the block of a `content_block_start`.
   * @param onCall called with the name of each call
   * @throws ModelError `assistant-broken-off` for too many calls
   */
  begin(event: unknown, onCall: (name: string) => void): void {
    const block = field(event, "content_block");
    if (!isRecord(block)) return;
    const isCall = block.type === "tool_use";
    if (isCall) this.#bounds.addCall();
    const index = countField(event, "index") ?? this.#blocks.size;
    if (isCall || this.#isReturned) this.#blocks.set(index, { block: { ...block }, json: "" });
    if (isCall) onCall(textField(block, "name"));
  }

  /** Adds a `content_block_delta` to its block. @throws ModelError `assistant-broken-off` for too long arguments */
  add(event: unknown): void {
    const open = this.#blocks.get(countField(event, "index") ?? this.#blocks.size - 1);
    if (!open) return;
    const delta = field(event, "delta");
    if (field(delta, "type") === "input_json_delta") {
      const piece = textField(delta, "partial_json");
      this.#bounds.addArguments(piece);
      open.json += piece;
    } else {
      for (const name of GROWING) {
        if (textField(delta, name) !== "") open.block[name] = textField(open.block, name) + textField(delta, name);
      }
    }
  }

  /** @returns undefined for an answer without calls */
  end(): AnswerCalls | undefined {
    const blocks = [...this.#blocks.values()];
    const uses = blocks.filter(({ block }) => block.type === "tool_use");
    if (uses.length === 0) return undefined;
    const calls = uses.map(toCall);
    if (!this.#isReturned) return { calls };
    return { calls, turn: { format: "messages", body: blocks.flatMap(returned) } };
  }
}

function toCall({ block, json }: Block): ToolCall {
  const { id, name } = { id: textField(block, "id"), name: sendableName(textField(block, "name")) };
  return { id, name, arguments: json.trim() || JSON.stringify(block.input ?? {}) };
}

/** Returns a block as the API accepts it back: no empty text, and arguments that are an object. */
function returned(open: Block): Record<string, unknown>[] {
  const { block } = open;
  const type = textField(block, "type");
  if (!RETURNED.includes(type) || (type === "text" && textField(block, "text").trim() === "")) return [];
  if (type !== "tool_use") return [block];
  const { id, name, arguments: json } = toCall(open);
  return [{ type, id, name, input: argumentsObject(json) }];
}
