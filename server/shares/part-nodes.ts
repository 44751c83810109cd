import { builtInTool } from "#contract/built-in-tools.ts";
import { type CitedSource, citedSources, webAddressOf } from "#contract/conversation/citations/cited-sources.ts";
import type { KnownPart, ReasoningPart, ToolPart, ToolState } from "#contract/conversation/known-parts.ts";
import type { MessagePart } from "#contract/conversation/parts.ts";
import type { PageNode, PagePhrase } from "#contract/shares/shared-page.ts";
import type { ShareOptions } from "#contract/shares/shares.ts";
import type { Render } from "../transfer/html/html-renderer.ts";
import { joinNodes, phrase } from "../transfer/html/page-nodes.ts";

/** Returns a part as nodes of a shared page, in JSON separated by commas; empty if the page does not contain it. */
export async function partNodes(part: KnownPart, options: ShareOptions, render: Render): Promise<string> {
  if (part.kind === "reasoning") return options.reasoning ? reasoningNodes(part, render) : "";
  if (part.kind === "tool") return options.tools ? joinNodes([toolNode(part)]) : "";
  // Other notices are about the account or its models; this one is about what the text claims.
  if (part.kind === "notice" && part.code === "no-tool-run") {
    return joinNodes([["p", { class: "notice" }, phrase("no-tool-run")]]);
  }
  return "";
}

async function reasoningNodes({ text }: ReasoningPart, render: Render): Promise<string> {
  if (text.trim() === "") return "";
  const sections = (await render(text)).filter(Boolean);
  const summary = joinNodes([["summary", {}, phrase("reasoning")]]);
  return `["details",{"class":"reasoning"},${summary},["div",{"dir":"auto"},${sections.join(",")}]]`;
}

/** Words of the state of a call; none for the usual one. A reader can do nothing about a call that has not ended. */
const stateWords: Readonly<Record<ToolState, PagePhrase | null>> = {
  proposed: "tool-unfinished",
  approved: "tool-unfinished",
  sent: "tool-unfinished",
  asking: "tool-unfinished",
  declined: "tool-declined",
  succeeded: null,
  failed: "tool-failed",
  unknown: "tool-unknown",
};

function toolNode({ server, name, title = "", from, state, arguments: given, result }: ToolPart): PageNode {
  const tool = builtInTool({ server, name });
  const words = stateWords[state];
  return [
    "details",
    { class: "tool" },
    [
      "summary",
      {},
      tool ? phrase(tool) : phrase("tool", { name: title.trim() || name }),
      ...(from ? ([" · ", ["bdi", {}, from.name]] as const) : []),
      ...(words ? [" · ", phrase(words)] : []),
    ],
    ["p", {}, phrase("tool-arguments")],
    ["pre", { class: "plain" }, given],
    ...(result === undefined ? [] : [resultHeading, ["pre", { class: "plain" }, result] as const]),
  ];
}

const resultHeading: PageNode = ["p", {}, phrase("tool-result")];

/**
 * Returns the list of the sources that an answer cites, as nodes in JSON; empty if there are none. Sources that are no web
 * pages are results of tools of the account.
 */
export function sourceNodes(parts: readonly MessagePart[], { tools }: ShareOptions): string {
  // Without a title, the address of an own chat would stand for it.
  const isShown = ({ url, title }: CitedSource) => webAddressOf(url) !== null || (tools && title !== url);
  const shown = citedSources(parts).filter(isShown);
  if (shown.length === 0) return "";
  return joinNodes([
    ["p", { class: "sources" }, ["strong", {}, phrase("sources")]],
    ["ul", { class: "sources" }, ...shown.map(sourceNode)],
  ]);
}

function sourceNode({ number, url, title, isMissing }: CitedSource): PageNode {
  const address = webAddressOf(url);
  const name: PageNode = address === null ? ["bdi", {}, title] : ["a", { href: address }, title || address];
  return ["li", {}, `[${number}] `, name, ...(isMissing ? [" ", phrase("quote-missing")] : [])];
}
