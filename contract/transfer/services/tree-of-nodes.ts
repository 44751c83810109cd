import type { ForeignNode, Piece } from "./foreign-chat.ts";

/**
 * `nodes`: all, each with an id of its own. `shown`: those that become something, parents before children, each with its
 * nearest shown ancestor and the number of its nearest shown followers.
 */
export type NodeTree = {
  nodes: ForeignNode[];
  shown: ShownNode[];
  /** Returns a node if it is shown, else its nearest shown ancestor. */
  shownAbove(id: string | null): string | null;
};
export type ShownNode = { node: ForeignNode; parent: string | null; children: number };

/** Whether a node becomes something: hidden and empty ones do not, and their children follow their nearest ancestor. */
export const isShown = ({ isHidden, pieces }: ForeignNode): boolean => !isHidden && pieces.some(hasWords);

const hasWords = (piece: Piece): boolean =>
  (piece.kind !== "text" && piece.kind !== "reasoning") || piece.text.trim() !== "";

/**
 * Orders the nodes of a chat. Of a broken tree nothing is lost: a node whose parent is missing begins the chat, and so
 * does the first of a cycle. Of nodes with one id, the first has the followers.
 */
export function treeOfNodes(nodes: readonly ForeignNode[]): NodeTree {
  const byId = new Map<string, ForeignNode>();
  for (const [at, node] of nodes.entries()) {
    let { id } = node;
    while (byId.has(id)) id = `${id}#${at}`;
    byId.set(id, id === node.id ? node : { ...node, id });
  }
  const children = Map.groupBy(byId.values(), ({ parent }) => (parent !== null && byId.has(parent) ? parent : null));
  const above = new Map<string | null, string | null>([[null, null]]);
  const shown = new Map<string, ShownNode>();
  const visit = (start: ForeignNode, parentOfStart: string | null) => {
    const open: [ForeignNode, string | null][] = [[start, parentOfStart]];
    for (let next = open.pop(); next; next = open.pop()) {
      const [node, parent] = next;
      if (above.has(node.id)) continue;
      above.set(node.id, isShown(node) ? node.id : parent);
      if (isShown(node)) {
        const shownParent = parent === null ? undefined : shown.get(parent);
        if (shownParent) shownParent.children++;
        shown.set(node.id, { node, parent, children: 0 });
      }
      // Reversed, because the last one is taken first.
      for (const child of (children.get(node.id) ?? []).toReversed()) open.push([child, above.get(node.id) ?? null]);
    }
  };
  for (const root of children.get(null) ?? []) visit(root, null);
  for (const node of byId.values()) if (!above.has(node.id)) visit(node, null);
  return { nodes: [...byId.values()], shown: [...shown.values()], shownAbove: (id) => above.get(id) ?? null };
}
