import { api } from "../api/client.ts";
import { ChatSession, type ChatSessionDeps } from "../conversation/chat-session.ts";
import { Drafts } from "../conversation/stored-drafts.ts";
import type { ModelChoice } from "../models/model-choice.ts";
import { PresetList } from "../presets/preset-list.ts";

/** For tests: returns a session over a store and its replies, without the connection and the branches of an account. */
export function sessionOver(deps: Pick<ChatSessionDeps, "store" | "replies"> & Partial<ChatSessionDeps>): ChatSession {
  const account = deps.account ?? "";
  return new ChatSession({
    account,
    drafts: new Drafts(account),
    branches: null,
    modelChoice: { current: () => ({ value: "auto" }) } as ModelChoice,
    presets: new PresetList(api),
    positions: null,
    storedSession: null,
    ...deps,
  });
}
