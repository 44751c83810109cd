import { parseArgs } from "node:util";
import type { Extent } from "./harness.ts";

export type Options = { seed: string; only: string[]; extent: Extent; isShort: boolean };

const extents = {
  short: { kills: 4, restarts: 1, rounds: 1 },
  normal: { kills: 50, restarts: 5, rounds: 4 },
  long: { kills: 200, restarts: 20, rounds: 20 },
};

export const usage = `npm run torture [-- OPTIONS]
  --seed N       injects the same faults again
  --only NAME    one arrangement, one fault, or ARRANGEMENT/FAULT; may be given more than once
  --kills N      number of kills for each arrangement
  --short        as in npm test
  --long         200 kills, and more of every fault
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
  return {
    seed: values.seed ?? String(Math.floor(Math.random() * 1_000_000)),
    only: values.only ?? [],
    extent: { ...extent, ...(values.kills !== undefined && { kills: Number(values.kills) }) },
    isShort: values.short ?? false,
    isHelp: values.help ?? false,
    isList: values.list ?? false,
  };
}
