import type { Random } from "../testing/random.ts";
import type { Arrangement } from "./arrangements/arrangement.ts";
import type { ChatClient } from "./clients/chat-client.ts";
import type { NumberedProvider } from "./provider/numbered-provider.ts";
import type { Report } from "./report.ts";

/** How much of each fault a run injects. */
export type Extent = { kills: number; restarts: number; rounds: number };

/** What every fault is injected into, and told by. */
export type Ground = {
  arrangement: Arrangement;
  provider: NumberedProvider;
  client: ChatClient;
  /** Draws for one fault alone. */
  random: Random;
  report: Report;
  extent: Extent;
};

/** One kind of fault with what must hold under it. Throws where the run itself is broken. */
export type Fault = (ground: Ground) => Promise<void>;
