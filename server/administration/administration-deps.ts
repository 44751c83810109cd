import type { AccountContext } from "../accounts/accounts.ts";
import type { OpenStreams } from "../http/streams/open-streams.ts";

/** `streams`: ends downloads with their sessions. */
export type AdministrationDeps = AccountContext & { streams: OpenStreams };
