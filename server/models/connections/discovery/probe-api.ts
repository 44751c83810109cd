import type { openAiApis } from "#contract/administration/connections.ts";
import { SECOND } from "#contract/limits.ts";
import { isRecord } from "../../../text/wire-json.ts";
import { ModelError } from "../../model-error.ts";
import type { ProviderConnection } from "../../providers/provider-connection.ts";
import { readJson } from "../../providers/provider-json.ts";
import { isOpenAiItself } from "../connection-settings.ts";

/** Wire format of a server with OpenAI's API. */
export type OpenAiApi = (typeof openAiApis)[number];

const TIMEOUT_MS = 5 * SECOND;
/** Statuses of a path that does not exist, or that is no API. */
const ABSENT: readonly number[] = [404, 405, 501];

/**
 * Finds the wire format of a server with OpenAI's API by requests without content, which cost nothing. Chat completions are
 * preferred, because most servers have them only, or have them first; OpenAI itself is called by its Responses API.
 * @returns `undefined` if the server has neither: the address is wrong
 * @throws ModelError for a server that does not answer in time
 */
export async function probeApi(
  connection: ProviderConnection,
  { timeoutMs = TIMEOUT_MS }: { timeoutMs?: number } = {},
): Promise<OpenAiApi | undefined> {
  if (isOpenAiItself(connection.url("").href)) return "responses";
  if (await hasPath(connection, "chat/completions", timeoutMs)) return "chat-completions";
  return (await hasPath(connection, "responses", timeoutMs)) ? "responses" : undefined;
}

async function hasPath(connection: ProviderConnection, path: string, timeoutMs: number): Promise<boolean> {
  try {
    return isRecord(await readJson(connection, { path, body: {}, timeoutMs }));
  } catch (error) {
    if (!(error instanceof ModelError) || error.status === undefined) throw error;
    // The missing model, not the path, may be what is not found.
    return error.code === "assistant-model-gone" || (error.status >= 400 && !ABSENT.includes(error.status));
  }
}
