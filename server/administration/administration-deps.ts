import type { Accounts } from "../accounts/accounts.ts";
import type { OpenStreams } from "../http/streams/open-streams.ts";

/** `streams`: ends downloads with their sessions. */
export type AdministrationDeps = { accounts: Accounts; streams: OpenStreams };
