import { parseArgs } from "node:util";
import type { Extent } from "./harness.ts";

export type Options = { seed: string; only: string[]; extent: Extent; isShort: boolean };

const extents = {
  short: { kills: 4, restarts: 1, rounds: 1, toolKills: 4, freezes: 1 },
  normal: { kills: 50, restarts: 5, rounds: 4, toolKills: 60, freezes: 10 },
  long: { kills: 200, restarts: 20, rounds: 20, toolKills: 300, freezes: 10 },
};

export const usage = `npm run torture [-- OPTIONS]
  --seed N       injects the same faults again
  --only NAME    one arrangement, one fault, or ARRANGEMENT/FAULT; may be given more than once
  --kills N      number of kills for each arrangement
  --short        as in npm test
  --long         200 kills (300 with calls of tools), and more of every fault
  --list         lists the names`;

export function readOptions(args: string[]): Options & { isHelp: boolean; isList: boolean } {
  const { values } = parseArgs({
    args,
    options: {
      seed: { type: "string" },
      only: { type: "string", multiple: true },
      kills: { type: "string" },
      short: { type: "boolean" },
      long: { type: "boolean" },
      list: { type: "boolean" },
      help: { type: "boolean" },
    },
  });
  const extent = extents[values.long ? "long" : values.short ? "short" : "normal"];
  const kills = values.kills === undefined ? {} : { kills: Number(values.kills), toolKills: Number(values.kills) };
  return {
    seed: values.seed ?? String(Math.floor(Math.random() * 1_000_000)),
    only: values.only ?? [],
    extent: { ...extent, ...kills },
    isShort: values.short ?? false,
    isHelp: values.help ?? false,
    isList: values.list ?? false,
  };
}
