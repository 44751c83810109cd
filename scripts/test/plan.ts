import { imageCheck } from "./packaging/image-check.ts";
import {
  browser,
  faults,
  formatAndLint,
  type Length,
  lintRulesFire,
  security,
  soak,
  structure,
  types,
  unit,
  weights,
} from "./stages.ts";
import { lockfileCheck, startChecks } from "./start-checks.ts";
import type { Tally } from "./tally.ts";

/** Lanes run in parallel. The stages of a lane, named here, run in sequence. */
export type Plan = readonly (readonly string[])[];

/** The stages by name. Each returns its counts and prints its failures. */
export const stages: Readonly<Record<string, (length: Length) => Promise<Tally>>> = {
  "Format and lint": formatAndLint,
  "Lint rules fire": lintRulesFire,
  Structure: structure,
  Types: types,
  "Unit, HTTP and database": unit,
  Lockfile: lockfileCheck,
  "Script weights": weights,
  "npm start": startChecks,
  Image: imageCheck,
  Faults: faults,
  Security: security,
  Soak: soak,
  Browser: browser,
};

const source = ["Format and lint", "Lint rules fire", "Structure", "Types"];
const packaging = ["Lockfile", "Script weights", "npm start", "Image"];
const unitStage = "Unit, HTTP and database";

/**
 * The browser and the faults mostly wait for timers, paints and processes, so `npm test` runs them beside the other
 * stages. A proof runs one stage at a time, as its faults depend on timing. Only a proof includes the soak of ten
 * minutes.
 */
export function planOf(length: Length): Plan {
  if (length === "quick") return [[...source, unitStage]];
  if (length === "rest") return [[unitStage]];
  if (length === "parts") return [[unitStage], ["Browser"]];
  if (length === "proof") return [[...source, unitStage, ...packaging, "Faults", "Security", "Soak", "Browser"]];
  return [
    [...source, unitStage, ...packaging, "Security"],
    ["Browser", "Faults"],
  ];
}
