import type { Random } from "../testing/app/random.ts";
import type { Arrangement } from "./arrangements/arrangement.ts";
import type { ChatClient } from "./clients/chat-client.ts";
import type { NumberedProvider } from "./provider/numbered-provider.ts";
import type { Report } from "./report.ts";

/** How much of each fault a run injects. */
export type Extent = { kills: number; restarts: number; rounds: number };

/** The servers, provider and client that a fault is injected into, and the report of its outcome. */
export type Harness = {
  arrangement: Arrangement;
  provider: NumberedProvider;
  client: ChatClient;
  /** Draws for one fault alone. */
  random: Random;
  report: Report;
  extent: Extent;
};

/** One kind of fault with what must hold under it. Throws where the run itself is broken. */
export type Fault = (harness: Harness) => Promise<void>;
