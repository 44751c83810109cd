import { countField, field, isRecord, textField } from "../../text/wire-json.ts";
import { type AnswerCalls, CallBounds, sendableName, type ToolCall } from "./tool-call.ts";

type Item = Record<string, unknown>;

/** Types of output items that go back to OpenAI with the results of the calls. */
const RETURNED = ["message", "reasoning", "function_call"];

/**
 * Collects the finished output items of one of OpenAI's responses: its calls, and what the API requires back unchanged
 * within a loop of calls. Items are identified by their output index, because gateways change item ids.
 */
export class ResponseItems {
  readonly #items = new Map<number, Item>();
  readonly #isReturned: boolean;
  readonly #bounds = new CallBounds();

  /** @param isReturned whether the answer goes back to the provider with the results of its calls */
  constructor(isReturned: boolean) {
    this.#isReturned = isReturned;
  }

  /**
   * Notes the beginning of an item.
   * @param onCall called with the name of each call
   * @throws ModelError `assistant-broken-off` for too many calls
   */
  begin(item: unknown, onCall: (name: string) => void): void {
    if (field(item, "type") !== "function_call") return;
    this.#bounds.addCall();
    onCall(textField(item, "name"));
  }

  /** @throws ModelError `assistant-broken-off` for too long arguments */
  addArguments(piece: string): void {
    this.#bounds.addArguments(piece);
  }

  /** Takes a finished item. */
  finish(event: unknown): void {
    const item = field(event, "item");
    if (!isRecord(item) || !RETURNED.includes(textField(item, "type"))) return;
    if (!this.#isReturned && item.type !== "function_call") return;
    this.#items.set(countField(event, "output_index") ?? this.#items.size, item);
  }

  /** @returns undefined for a response without calls */
  end(): AnswerCalls | undefined {
    const items = [...this.#items].sort(([a], [b]) => a - b).map(([, item]) => item);
    const calls = items.filter(({ type }) => type === "function_call").map(toCall);
    if (calls.length === 0) return undefined;
    return this.#isReturned ? { calls, turn: { format: "responses", body: returned(items) } } : { calls };
  }
}

function toCall(item: Item, at: number): ToolCall {
  const json = textField(item, "arguments").trim() || "{}";
  return {
    id: textField(item, "call_id") || `call_${at}`,
    name: sendableName(textField(item, "name")),
    arguments: json,
  };
}

/**
 * Returns the items as the API accepts them back. OpenAI stores no items of ours: it finds no reasoning that is not
 * encrypted, and none that an item with an id belongs to.
 */
function returned(items: readonly Item[]): Item[] {
  const isLost = (item: Item) => item.type === "reasoning" && textField(item, "encrypted_content") === "";
  if (!items.some(isLost)) return [...items];
  return items.filter((item) => !isLost(item)).map(({ id: _, ...item }) => item);
}
