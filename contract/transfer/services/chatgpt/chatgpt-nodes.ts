import { withoutMarks } from "../citation-marks.ts";
import { codeBlock } from "../code-blocks.ts";
import type { ForeignNode, Piece } from "../foreign-chat.ts";
import { idOf, listOf, numberOf, recordOf, textOf, timeOfIso } from "../unknown-values.ts";
import { type MessageContent, readContent } from "./chatgpt-content.ts";
import { piecesWithSources } from "./chatgpt-references.ts";

type Values = Record<string, unknown>;
type Speaker = "user" | "assistant" | "tool" | "system";

/**
 * A node of the mapping. `tool`: the one that an assistant calls, or that answers; null for other nodes. `message` and
 * `content` are undefined in the root, and in a broken node. `isBroken`: not of the form of a node.
 */
export type MappedNode = {
  id: string;
  parent: string | null;
  speaker: Speaker;
  tool: string | null;
  message: Values | undefined;
  content: MessageContent | undefined;
  isHidden: boolean;
  isBroken: boolean;
};

/** Steps above a node among which its call, or the reasoning of a recap, is searched: hostile chains are long. */
const STEPS_MAX = 100;

/** Reads the nodes of a mapping, one for each entry; siblings are in the order of the service. */
export function readMapping(mapping: Values, fileIdOf: (key: string) => string): MappedNode[] {
  return inServiceOrder(mapping).map(([id, parent]) => {
    const node = recordOf(mapping[id]);
    const message = recordOf(node?.message);
    const hasNoMessage = node !== undefined && (node.message === null || node.message === undefined);
    if (!message) return { ...silent, id, parent, isBroken: !hasNoMessage };
    const author = recordOf(message.author);
    const speaker = speakerOf(author?.role);
    const content = readContent(message, fileIdOf);
    const isMarked = recordOf(message.metadata)?.is_visually_hidden_from_conversation === true;
    const tool = speaker === "tool" ? textOf(author?.name) || "tool" : calledTool(speaker, message.recipient);
    const isHidden = speaker === "system" || isMarked || content.isHidden;
    return {
      id,
      parent,
      speaker: speaker ?? "assistant",
      tool,
      message,
      content,
      isHidden,
      isBroken: speaker === null,
    };
  });
}

const silent = { speaker: "assistant", tool: null, message: undefined, content: undefined, isHidden: false } as const;

function speakerOf(role: unknown): Speaker | null {
  if (role === "user" || role === "tool" || role === "system") return role;
  if (role === "developer") return "system";
  return typeof role === "string" ? "assistant" : null;
}

function calledTool(speaker: Speaker | null, recipient: unknown): string | null {
  const name = textOf(recipient);
  return speaker === "assistant" && name !== "" && name !== "all" ? name : null;
}

/** Returns `[id, parent]` of all entries, siblings in the order in which their parent lists them. */
function inServiceOrder(mapping: Values): [string, string | null][] {
  const entries = new Map(Object.entries(mapping));
  const children = new Map<string, string[]>();
  const listed = new Map<string, string>();
  for (const [id, value] of entries) {
    const ids = listOf(recordOf(value)?.children).flatMap((child) => idOf(child) ?? []);
    children.set(id, ids);
    for (const child of ids) if (!listed.has(child)) listed.set(child, id);
  }
  const parents = new Map<string, string | null>();
  for (const [id, value] of entries) {
    const named = idOf(recordOf(value)?.parent);
    parents.set(id, named !== null && entries.has(named) ? named : (listed.get(id) ?? named));
  }
  const ordered = new Map<string, string | null>();
  const visit = (start: string) => {
    const open = [start];
    for (let id = open.pop(); id !== undefined; id = open.pop()) {
      if (ordered.has(id)) continue;
      ordered.set(id, parents.get(id) ?? null);
      // Reversed, because the last one is taken first.
      for (const child of (children.get(id) ?? []).toReversed()) if (parents.get(child) === id) open.push(child);
    }
  };
  for (const [id, parent] of parents) if (parent === null) visit(id);
  for (const id of parents.keys()) visit(id);
  return [...ordered];
}

/** Converts the nodes of a mapping. Calls of tools are connected with their results, and recaps with their reasoning. */
export function toForeignNodes(nodes: readonly MappedNode[]): ForeignNode[] {
  const { calls, hasAnswer } = connectCalls(nodes);
  const { durations, recaps } = connectRecaps(nodes);
  return nodes.map((node) => {
    const { id, parent, speaker, message, content, isHidden, isBroken } = node;
    const unreadable = isBroken ? "broken" : content?.unreadable;
    const isSilent = isHidden || recaps.has(id);
    const pieces = isSilent ? [] : piecesOf(node, calls.get(id), hasAnswer.get(id));
    return {
      id,
      parent,
      role: speaker === "user" ? "user" : "assistant",
      pieces: pieces.map((piece) => withDuration(piece, content?.durationMs ?? durations.get(id))),
      createdAt: secondsToMs(message?.create_time),
      model: textOf(recordOf(message?.metadata)?.model_slug) || null,
      isHidden,
      ...(unreadable && !isHidden && { unreadable }),
    };
  });
}

type NodesById = ReadonlyMap<string, MappedNode>;

/** `calls`: the call that a result answers, by the result's id. `hasAnswer`: of answered calls, whether it is shown. */
function connectCalls(nodes: readonly MappedNode[]) {
  const byId: NodesById = new Map(nodes.map((node) => [node.id, node]));
  const calls = new Map<string, MappedNode>();
  const hasAnswer = new Map<string, boolean>();
  for (const node of nodes) {
    const call = node.speaker === "tool" ? callOf(node, byId) : undefined;
    if (!call) continue;
    calls.set(node.id, call);
    hasAnswer.set(call.id, hasAnswer.get(call.id) || (!node.isHidden && hasResult(node)));
  }
  return { calls, hasAnswer };
}

/** `durations`: ms of reasoning, by the id of its node. `recaps`: ids of the nodes that say no more than them. */
function connectRecaps(nodes: readonly MappedNode[]) {
  const byId: NodesById = new Map(nodes.map((node) => [node.id, node]));
  const durations = new Map<string, number>();
  const recaps = new Set<string>();
  for (const node of nodes) {
    const durationMs = node.content?.durationMs;
    const reasoning = durationMs === undefined ? undefined : reasoningAbove(node, byId);
    if (durationMs === undefined || !reasoning) continue;
    durations.set(reasoning.id, durationMs);
    recaps.add(node.id);
  }
  return { durations, recaps };
}

const withDuration = (piece: Piece, durationMs: number | undefined): Piece =>
  piece.kind === "reasoning" && durationMs !== undefined ? { ...piece, durationMs } : piece;

/** Returns the Unix time in ms of a time in seconds, or of an ISO text; null for any other value. */
export function secondsToMs(value: unknown): number | null {
  const seconds = numberOf(value);
  return seconds === undefined ? timeOfIso(value) : seconds * 1000;
}

const hasResult = ({ content }: MappedNode): boolean =>
  content !== undefined &&
  !content.unreadable &&
  (content.hasFailed || content.texts.some((text) => text.trim() !== ""));

/** Tools have names such as `file_search.msearch` in calls and `file_search` in results. */
const familyOf = (tool: string | null): string | undefined => tool?.split(".", 1)[0];

const isCall = (node: MappedNode | undefined): node is MappedNode =>
  node?.speaker === "assistant" && node.tool !== null;

/**
 * Returns the call that a result answers. Calls of one tool that follow each other directly are answered in their order;
 * a further result answers none.
 */
function callOf(result: MappedNode, byId: NodesById): MappedNode | undefined {
  const parent = byId.get(result.parent ?? "");
  const isSame = ({ tool }: MappedNode) => familyOf(tool) === familyOf(result.tool);
  let answersBetween = 0;
  let above = parent;
  for (let steps = 0; above && above.speaker !== "user" && steps < STEPS_MAX; steps++) {
    if (isCall(above) && isSame(above)) return callsUpTo(above, byId).filter(isSame)[answersBetween];
    if (above.speaker === "tool" && isSame(above) && hasResult(above) && !above.isHidden) answersBetween++;
    above = byId.get(above.parent ?? "");
  }
  return isCall(parent) ? parent : undefined;
}

/** Returns a call with the calls directly above it, the first one first. */
function callsUpTo(call: MappedNode, byId: NodesById): MappedNode[] {
  const calls: MappedNode[] = [];
  for (let above: MappedNode | undefined = call; isCall(above) && calls.length < STEPS_MAX; ) {
    calls.push(above);
    above = byId.get(above.parent ?? "");
  }
  return calls.reverse();
}

function reasoningAbove(recap: MappedNode, byId: NodesById): MappedNode | undefined {
  let above = byId.get(recap.parent ?? "");
  for (let steps = 0; above && above.speaker !== "user" && steps < STEPS_MAX; steps++) {
    if (above.content?.durationMs !== undefined) return undefined;
    if (!above.isHidden && above.content?.reasoning.length) return above;
    above = byId.get(above.parent ?? "");
  }
  return undefined;
}

/** `hasAnswer`: whether a result answers the node, which is a call, in a piece; undefined if none answers it at all. */
function piecesOf(node: MappedNode, call: MappedNode | undefined, hasAnswer: boolean | undefined): Piece[] {
  const { id, speaker, tool, message, content } = node;
  if (!content) return [];
  const { texts, hasFailed } = content;
  const files = content.files.map((file): Piece => ({ kind: "file", file }));
  if (content.unreadable || speaker === "user") {
    const words = [...texts, ...content.reasoning].map((text) => (speaker === "user" ? text : withoutMarks(text)));
    return [...words.map((text): Piece => ({ kind: "text", text })), ...files];
  }
  const isAnalysis = message?.channel === "analysis" && tool === null;
  const thoughts = [...content.reasoning, ...(isAnalysis ? texts : [])].join("\n\n");
  const reasoning: Piece[] = thoughts === "" ? [] : [{ kind: "reasoning", text: withoutMarks(thoughts) }];
  const joined = texts.join("\n\n");
  if (speaker === "tool") {
    const name = call?.tool ?? tool ?? "";
    const result: Piece = { kind: "result", name, call: call?.id ?? id, text: joined, hasFailed };
    return [...reasoning, ...(hasResult(node) ? [result] : []), ...files];
  }
  const isThought = reasoning.length > 0 && joined === "";
  if (tool === null || isThought) return [...reasoning, ...(isAnalysis ? [] : wordsOf(content, message)), ...files];
  // Without a result, a call whose state is unknown would wait for the decision of a person.
  const result = hasAnswer ? undefined : "";
  const state = hasAnswer === undefined ? "unknown" : "succeeded";
  return [...reasoning, { kind: "tool", name: tool, call: id, arguments: joined, state, result }, ...files];
}

function wordsOf({ texts, code }: MessageContent, message: Values | undefined): Piece[] {
  if (code === null) return piecesWithSources(texts, recordOf(message?.metadata) ?? {});
  return texts.map((text) => ({ kind: "text", text: codeBlock(code, text) }));
}

/** Returns the custom instructions that the account had last, about itself and about answers; undefined if none are named. */
export function instructionsOf(nodes: readonly MappedNode[]): string | undefined {
  const known = nodes.flatMap(({ message }) => {
    const content = recordOf(message?.content);
    if (content?.content_type !== "user_editable_context") return [];
    const said = recordOf(recordOf(message?.metadata)?.user_context_message_data);
    const about = textOf(said?.about_user_message) || withoutFrame(content.user_profile);
    const answers = textOf(said?.about_model_message) || withoutFrame(content.user_instructions);
    return (
      [about, answers]
        .map((text) => text.trim())
        .filter(Boolean)
        .join("\n\n") || []
    );
  });
  return known.at(-1);
}

/** Returns what the account has written, without the sentences for the model around it. */
function withoutFrame(value: unknown): string {
  const text = textOf(value);
  const [start, end] = [text.indexOf("```"), text.lastIndexOf("```")];
  return start >= 0 && end > start && text.slice(end + 3).trim() === "" ? text.slice(start + 3, end) : text;
}
