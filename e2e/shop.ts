import { scriptCalls, shopCall } from "../testing/tools/script-calls.ts";
import { ScriptedShop } from "../testing/tools/scripted-shop.ts";
import { test as base } from "./chat-screen.ts";

export { expect } from "./chat-screen.ts";

type ShopFixtures = {
  /** Lets the model buy each item by a step of its own after a question, then answer with "Bought." */
  letBuy: (...items: string[]) => void;
  /** The items that were bought. */
  bought: () => unknown[];
};

/** The chat screen of a server with the tools of a shop, of which `buy` asks for a decision. */
export const test = base.extend<ShopFixtures, { shop: ScriptedShop }>({
  shop: [async ({ browserName: _ }, use) => use(new ScriptedShop()), { scope: "worker" }],
  toolGroups: [async ({ shop }, use) => use([shop]), { scope: "worker" }],
  bought: async ({ shop }, use) => {
    shop.reset();
    await use(() => shop.bought.map(({ item }) => item));
  },
  letBuy: async ({ provider }, use) => {
    await use((...items) => {
      const steps = items.map((item) => [shopCall("buy", item)]);
      scriptCalls(provider, steps, "Bought.");
    });
  },
});
