import { Failure } from "../../failure.ts";
import type { Search } from "../../search/search.ts";
import { requiredText } from "../arguments.ts";
import { chatAddress } from "../chat-address.ts";
import type { Tool, ToolContext, ToolGroup, ToolOutcome } from "../tool.ts";
import { ToolInputError } from "../tool-input-error.ts";

const HITS = 10;

/** Tools that search the account's own chats. They reach nothing outside. */
export function chatTools(search: Search): ToolGroup {
  const tool: Tool = {
    group: "chats",
    name: "search_my_chats",
    description:
      "Searches the person's earlier chats and attached files with this assistant. Every word must occur, so use few words.",
    parameters: {
      type: "object",
      properties: { query: { type: "string", description: "One to four words." } },
      required: ["query"],
    },
    reach: "own",
    isRepeatable: true,
    run: (given, context) => searchChats(search, requiredText(given, "query"), context),
  };
  return { slug: "chats", isAvailable: () => true, tools: [tool] };
}

async function searchChats(search: Search, q: string, { flow, chatId, signal }: ToolContext): Promise<ToolOutcome> {
  const found = await search.find(flow, { q, limit: HITS }, signal).catch((error: unknown) => {
    if (error instanceof Failure) throw new ToolInputError("The search is busy.", { cause: error });
    throw error;
  });
  const hits = found.hits.filter((hit) => hit.chatId !== chatId);
  if (hits.length === 0) return { text: "There are no matches." };
  const sources = hits.map(({ chatId: id, messageId, title, snippet, file, at, role }) => {
    const day = new Date(at).toISOString().slice(0, 10);
    const who = file ? `file ${file.name}` : role === "user" ? "the person" : "the assistant";
    return { url: chatAddress(id, messageId), title, text: `${day}, ${who}: ${snippet}`, fetchedAt: at };
  });
  return { text: "", sources };
}
