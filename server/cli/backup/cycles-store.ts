import type { Queryable } from "../../database/schema.ts";

const PAGE = 200;

type Node = { id: string; parent: string | null };

/**
 * Returns the ids of messages whose chain of parents ends in a cycle instead of at a root of their chat.
 * Reads the messages in pages of chats: a recursive query over all messages would scan each of them for every level of
 * the deepest chat.
 */
export async function findCycles(db: Queryable): Promise<string[]> {
  const found: string[] = [];
  let after = "";
  for (;;) {
    const chats = await db.selectFrom("chats").select("id").where("id", ">", after).orderBy("id").limit(PAGE).execute();
    const last = chats.at(-1);
    if (!last) return found;
    after = last.id;
    const ids = chats.map(({ id }) => id);
    const nodes = await db.selectFrom("messages").select(["id", "parent"]).where("chat_id", "in", ids).execute();
    found.push(...cyclesAmong(nodes));
  }
}

function cyclesAmong(nodes: readonly Node[]): string[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  /** Whether the chain of parents ends; `false` while it is being followed. */
  const ends = new Map<string, boolean>();
  for (const { id } of nodes) {
    const walked: string[] = [];
    let at = byId.get(id);
    while (at && !ends.has(at.id)) {
      ends.set(at.id, false);
      walked.push(at.id);
      at = at.parent === null ? undefined : byId.get(at.parent);
    }
    // A missing parent is another problem, which is reported separately.
    const isEnded = at === undefined || ends.get(at.id) === true;
    for (const step of walked) ends.set(step, isEnded);
  }
  return nodes.filter(({ id }) => ends.get(id) === false).map(({ id }) => id);
}
