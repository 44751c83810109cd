import type { Tool, ToolArguments, ToolContext, ToolOutcome } from "../../server/tools/tool.ts";
import { ToolInputError } from "../../server/tools/tool-input-error.ts";

type Act = (given: ToolArguments, context: ToolContext) => Promise<ToolOutcome>;

/** A group of tools of which one acts outside and one only reads. Notes each execution. */
export class ScriptedShop {
  readonly slug = "shop";
  readonly bought: ToolArguments[] = [];
  readonly read: ToolArguments[] = [];
  /** What `buy` does beside being noted. */
  act: Act = async ({ item }) => ({ text: `Bought: ${String(item)}.` });
  /** What `look_up` does beside being noted. */
  find: Act = async ({ item }) => ({ text: `${String(item)}: in stock.` });
  readonly tools: readonly Tool[];

  constructor() {
    const parameters = { type: "object", properties: { item: { type: "string" } }, required: ["item"] };
    const common = { group: this.slug, parameters };
    this.tools = [
      {
        ...common,
        name: "buy",
        description: "Buys an item.",
        reach: "outside",
        isRepeatable: false,
        run: (given, context) => {
          this.bought.push(given);
          return this.act(given, context);
        },
      },
      {
        ...common,
        name: "look_up",
        description: "Says whether an item is in stock.",
        reach: "nothing",
        isRepeatable: true,
        run: (given, context) => {
          this.read.push(given);
          return this.find(given, context);
        },
      },
    ];
  }

  isAvailable(): boolean {
    return true;
  }

  /** Forgets all executions, and does again what it does by itself. */
  reset(): void {
    this.bought.length = 0;
    this.read.length = 0;
    this.act = async ({ item }) => ({ text: `Bought: ${String(item)}.` });
    this.find = async ({ item }) => ({ text: `${String(item)}: in stock.` });
  }

  /** Makes `look_up` fail with a sentence for the model. */
  refuse(sentence: string): void {
    this.find = async () => {
      throw new ToolInputError(sentence);
    };
  }
}
