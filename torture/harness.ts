import type { Random } from "../testing/app/random.ts";
import type { Arrangement } from "./arrangements/arrangement.ts";
import type { ChatClient } from "./clients/chat-client.ts";
import type { NumberedProvider } from "./provider/numbered-provider.ts";
import type { Report } from "./report.ts";

/** Number of injections of each fault in a run. `toolKills`, `freezes`: while calls of tools run. */
export type Extent = { kills: number; restarts: number; rounds: number; toolKills: number; freezes: number };

/** The servers, provider and client that a fault is injected into, and the report of its outcome. */
export type Harness = {
  arrangement: Arrangement;
  provider: NumberedProvider;
  client: ChatClient;
  /** Random generator of one fault. */
  random: Random;
  report: Report;
  extent: Extent;
};

/** Injects a fault and checks its guarantees. @throws if the run itself fails */
export type Fault = (harness: Harness) => Promise<void>;
