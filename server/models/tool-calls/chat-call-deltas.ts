import { countField, field, isRecord, textField } from "../../text/wire-json.ts";
import { type AnswerCalls, CallBounds, sendableName, type ToolCall } from "./tool-call.ts";

type OpenCall = { id: string; name: string; arguments: string; extra?: unknown };
type ReasoningDetail = Record<string, unknown>;

/** Texts of OpenRouter's pieces of reasoning, which come in deltas like the text of an answer. */
const GROWING_DETAILS = ["text", "summary", "data"] as const;

/**
 * Joins the calls of a streamed chat completion, as OpenAI and its imitators send them. The `index` of a call may begin
 * at 1, be missing, or be 0 for all calls; its id and name may be empty in later deltas; it may come whole in one delta.
 */
export class ChatCallDeltas {
  readonly #calls: OpenCall[] = [];
  readonly #byIndex = new Map<number, OpenCall>();
  readonly #bounds = new CallBounds();
  readonly #details: ReasoningDetail[] = [];
  #reasoning = "";

  get isEmpty(): boolean {
    return this.#named.length === 0;
  }

  /**
   * Adds the `tool_calls` of a delta.
   * @param onCall called with the name of each new call
   * @throws ModelError `assistant-broken-off` beyond the limits of an answer
   */
  push(deltas: unknown, onCall: (name: string) => void): void {
    if (!Array.isArray(deltas)) return;
    for (const delta of deltas) this.#push(delta, onCall);
  }

  /** Adds reasoning that DeepSeek and Kimi require back with the results, in the field that it came in. */
  pushReasoning(piece: string): void {
    this.#reasoning += piece;
  }

  /** Adds OpenRouter's `reasoning_details` of a delta. Pieces of one detail are joined, as it requires them back. */
  pushDetails(details: unknown): void {
    if (!Array.isArray(details)) return;
    for (const detail of details.filter(isRecord)) {
      const last = this.#details.at(-1);
      if (last && field(last, "type") === field(detail, "type") && field(last, "index") === field(detail, "index"))
        join(last, detail);
      else this.#details.push({ ...detail });
    }
  }

  /** @param isReturned whether the answer goes back to the provider with the results of its calls */
  end(isReturned: boolean): AnswerCalls {
    const named = this.#named;
    const calls = named.map(
      ({ id, name, arguments: json }, at): ToolCall => ({
        id: id || `call_${at}`,
        name: sendableName(name),
        arguments: json.trim() || "{}",
      }),
    );
    if (!isReturned) return { calls };
    const body = {
      tool_calls: calls.map(({ id, name, arguments: json }, at) => {
        const extra = named[at]?.extra;
        return {
          id,
          type: "function",
          function: { name, arguments: json },
          // Gemini's signature of its reasoning.
          ...(extra !== undefined && { extra_content: extra }),
        };
      }),
      ...(this.#reasoning !== "" && { reasoning_content: this.#reasoning }),
      ...(this.#details.length > 0 && { reasoning_details: this.#details }),
    };
    return { calls, turn: { format: "chat-completions", body } };
  }

  /** Without pieces that belong to no call. */
  get #named(): OpenCall[] {
    return this.#calls.filter(({ name }) => name !== "");
  }

  #push(delta: unknown, onCall: (name: string) => void): void {
    const called = field(delta, "function");
    const id = textField(delta, "id");
    const name = textField(called, "name");
    const call = this.#callOf({ index: countField(delta, "index"), id, name });
    const isNamed = call.name === "" && name !== "";
    call.id ||= id;
    call.name ||= name;
    call.extra ??= field(delta, "extra_content");
    const json = field(called, "arguments");
    const piece = typeof json === "string" ? json : isRecord(json) ? JSON.stringify(json) : "";
    this.#bounds.addArguments(piece);
    call.arguments += piece;
    if (isNamed) onCall(name);
  }

  #callOf({ index, id, name }: { index: number | undefined; id: string; name: string }): OpenCall {
    const known = index === undefined ? this.#calls.at(-1) : this.#byIndex.get(index);
    const isOtherId = id !== "" && known?.id !== "" && known?.id !== id;
    const isOtherName = name !== "" && known?.name !== "";
    const isNew = index === undefined ? isOtherId || isOtherName : isOtherId && isOtherName;
    if (known && !isNew) return known;
    this.#bounds.addCall();
    const call = { id: "", name: "", arguments: "" };
    this.#calls.push(call);
    if (index !== undefined) this.#byIndex.set(index, call);
    return call;
  }
}

function join(detail: ReasoningDetail, piece: ReasoningDetail): void {
  for (const [name, value] of Object.entries(piece)) {
    const before = detail[name];
    const grows = GROWING_DETAILS.some((each) => each === name) && typeof before === "string";
    if (grows && typeof value === "string") detail[name] = before + value;
    else if (value !== null && value !== undefined) detail[name] = value;
  }
}
