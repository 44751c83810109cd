import type { Root } from "hast";
import { hasRightToLeft, setDirections } from "#contract/text/directions.ts";
import { rehypeSafeMarkdown } from "./reply-schema.ts";

const rehypeDirections = () => (tree: Root) => setDirections(tree);

const PLAIN = [rehypeSafeMarkdown];
const DIRECTED = [rehypeSafeMarkdown, rehypeDirections];

/** Returns the plugins for the blocks of a reply. Only a reply with letters from right to left has explicit directions. */
export const rehypePluginsFor = (reply: string) => (hasRightToLeft(reply) ? DIRECTED : PLAIN);
