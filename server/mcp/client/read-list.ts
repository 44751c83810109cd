import type { Client } from "@modelcontextprotocol/client";
import { SECOND } from "#contract/limits.ts";
import { OutboundRefusal } from "../../outbound/outbound-refusal.ts";
import { toolsOf } from "../wire/incoming-message.ts";
import { type ConvertedTools, toStoredTools } from "../wire/to-stored-tools.ts";

const TOOLS_MAX = 1000;
const PAGES_MAX = 64;
/** In UTF-16 units of JSON. */
const LIST_MAX = 2 * 1024 * 1024;
const TIMEOUT_MS = 20 * SECOND;

/**
 * Reads the list of tools of a connected server.
 * @throws OutboundRefusal `too-large` if it has more tools, pages or text than the limits
 */
export async function readList(
  client: Client,
  { hasHeaders, signal }: { hasHeaders: boolean; signal: AbortSignal },
): Promise<ConvertedTools> {
  // The SDK prints a line if a server without tools is asked for them.
  if (!client.getServerCapabilities()?.tools) return { tools: [], leftOut: [] };
  const listed: unknown[] = [];
  let size = 0;
  let cursor: string | undefined;
  for (let pages = 0; pages < PAGES_MAX; pages++) {
    const params = cursor === undefined ? {} : { cursor };
    // The method of the SDK for lists prints tools with invalid headers.
    const page = await client.request({ method: "tools/list", params }, { signal, timeout: TIMEOUT_MS });
    const tools = toolsOf(page);
    if (listed.length + tools.length > TOOLS_MAX) throw new OutboundRefusal("too-large");
    size += JSON.stringify(tools).length;
    if (size > LIST_MAX) throw new OutboundRefusal("too-large");
    listed.push(...tools);
    if (page.nextCursor === undefined) return toStoredTools(listed, { hasHeaders });
    cursor = page.nextCursor;
  }
  throw new OutboundRefusal("too-large");
}
