import * as z from "zod/mini";
import { parseHeaderLines } from "#contract/administration/connection-headers.ts";
import {
  MCP_HEADERS_MAX,
  type McpHeader,
  type McpHeaderProblem,
  mcpHeaderProblem,
  newMcpServerSchema,
} from "#contract/administration/mcp-servers.ts";

const { headers: headersField } = newMcpServerSchema.shape;

type EnteredServerHeaders = { headers: McpHeader[] } | { problem: McpHeaderProblem | "invalid" };

/** Reads headers as lines `Name: value`. `invalid`: a line is none, or there are too many. */
export function enteredServerHeaders(text: string): EnteredServerHeaders {
  const entered = parseHeaderLines(text);
  const headers = entered.length <= MCP_HEADERS_MAX ? z.safeParse(headersField, entered).data : undefined;
  const problem = headers ? mcpHeaderProblem(headers) : "invalid";
  return headers && problem === undefined ? { headers } : { problem: problem ?? "invalid" };
}
