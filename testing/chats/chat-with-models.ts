import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CatalogueModel } from "../../server/models/catalogue.ts";
import { type ScriptedChat, startScriptedChat } from "./scripted-chat.ts";

/** Starts a server whose catalogue has these models, of any provider, in the order of automatic choice. */
export async function startChatWithModels(
  models: readonly CatalogueModel[],
  env: Record<string, string> = {},
): Promise<ScriptedChat> {
  const folder = await mkdtemp(join(tmpdir(), "parley-models-"));
  try {
    const file = join(folder, "models.json");
    const automatic = models.map(({ value }) => value);
    await writeFile(file, JSON.stringify({ groups: [{ label: "All", models }], automatic }));
    const settings = { RATE_LIMITS: "off", MODELS_FILE: file, ...env };
    // The server reads the file when it starts.
    return await startScriptedChat((baseUrl) => ({ LOCAL_BASE_URL: baseUrl, ...settings }));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
