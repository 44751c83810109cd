// Generates the picture of the import rules in ARCHITECTURE.md from the table of zones.

import { pathBetween } from "./cycles.ts";
import { allowedZones, isFile, pathsOf } from "./import-rules.ts";
import type { Root, Zone, ZoneTable } from "./zone-table.ts";

const begin = "<!-- import rules: made by `npm run zones` -->";
const end = "<!-- end of import rules -->";

/** Returns the folder that represents a zone, or undefined for zones of single files and of test helpers. */
const folderOf = (zone: Zone) => (zone.isForTests ? undefined : pathsOf(zone).find((path) => !isFile(path)));

/** Returns the edges between zones that are folders, without transitive ones. */
function edgesOf(root: Root): { from: Zone; to: Zone }[] {
  const zones = root.zones.filter((zone) => folderOf(zone) !== undefined);
  const targetsOf = (from: Zone) => zones.filter((to) => to !== from && allowedZones(root, from).has(to.name));
  const graph = new Map(zones.map((zone) => [zone.name, new Set(targetsOf(zone).map(({ name }) => name))]));
  const isImplied = (from: Zone, to: Zone) =>
    targetsOf(from).some((other) => other !== to && pathBetween(graph, other.name, to.name) !== undefined);
  return zones.flatMap((from) =>
    targetsOf(from)
      .filter((to) => !isImplied(from, to))
      .map((to) => ({ from, to })),
  );
}

function graphOfRoot(root: Root): string {
  const label = (zone: Zone) => {
    const path = folderOf(zone)?.slice(root.folder.length + 1);
    return path === zone.name ? zone.name : `${zone.name}["${path?.replace("*", `${root.folder}/*`)}"]`;
  };
  const edges = edgesOf(root);
  const drawn = new Set<Zone>();
  const node = (zone: Zone) => {
    if (drawn.has(zone)) return zone.name;
    drawn.add(zone);
    return label(zone);
  };
  const arrows = edges.map(({ from, to }) => `    ${node(from)} --> ${node(to)}`);
  const alone = root.zones.filter((zone) => folderOf(zone) !== undefined && !drawn.has(zone));
  return ["```mermaid", "graph TD", ...arrows, ...alone.map((zone) => `    ${label(zone)}`), "```"].join("\n");
}

/** Returns a Mermaid graph for each root with several zones. */
export function pictureOf(table: ZoneTable): string {
  const graphs = table.roots.filter(({ zones }) => zones.length > 1).map((root) => graphOfRoot(root));
  return [begin, ...graphs, end].join("\n\n");
}

/** Replaces the text between the two marker comments. @throws Error if they are missing */
export function withPicture(text: string, picture: string): string {
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`ARCHITECTURE.md lacks the comments "${begin}" and "${end}".`);
  return text.slice(0, from) + picture + text.slice(to + end.length);
}
