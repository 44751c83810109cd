import type { Tool, ToolGroup } from "../../server/tools/tool.ts";

const parameters = { type: "object", properties: { item: { type: "string" } }, required: ["item"] };

/**
 * Tools that act on a `ShopServer` over a real connection: `buy` acts outside and asks; `look_up` only reads and may be
 * repeated; `weigh` only reads, but does not say that it may be repeated.
 */
export function remoteShop(url: string): ToolGroup {
  const group = "shop";
  const tool = (name: string, facts: Pick<Tool, "description" | "reach" | "isRepeatable">): Tool => ({
    group,
    name,
    parameters,
    ...facts,
    run: async (given, { signal }) => {
      const response = await fetch(`${url}/${name}`, { method: "POST", body: JSON.stringify(given), signal });
      return { text: await response.text() };
    },
  });
  return {
    slug: group,
    isAvailable: () => true,
    tools: [
      tool("buy", { description: "Buys an item.", reach: "outside", isRepeatable: false }),
      tool("look_up", { description: "Says whether an item is in stock.", reach: "nothing", isRepeatable: true }),
      tool("weigh", { description: "Weighs an item.", reach: "nothing", isRepeatable: false }),
    ],
  };
}
