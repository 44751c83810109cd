import { accountFaults } from "./accounts/account-faults.ts";
import { google } from "./accounts/google.ts";
import { mailedKeys } from "./accounts/mailed-keys.ts";
import { passwords } from "./accounts/passwords.ts";
import { revocation } from "./accounts/revocation.ts";
import { signInFlood } from "./accounts/sign-in-flood.ts";
import { throttles } from "./accounts/throttles.ts";
import { timing } from "./accounts/timing.ts";
import { tokens } from "./accounts/tokens.ts";
import { authorisation } from "./edge/authorisation.ts";
import { cancelStorm } from "./edge/cancel-storm.ts";
import { connections } from "./edge/connections.ts";
import { files } from "./edge/files.ts";
import { forgery } from "./edge/forgery.ts";
import { headers } from "./edge/headers.ts";
import { echoes } from "./hygiene/echoing-upstream.ts";
import { outbound } from "./hygiene/outbound.ts";
import { packages } from "./hygiene/packages.ts";
import { traces } from "./hygiene/traces.ts";
import { fuzz } from "./inputs/fuzz.ts";
import { json } from "./inputs/json.ts";
import { naughty } from "./inputs/naughty.ts";
import type { LineId } from "./lines.ts";
import type { Part } from "./part.ts";
import { rendering } from "./rendering/rendering.ts";

/** In the order in which they run, each with the lines that it fills rows of. */
export const parts: { part: Part; lines: readonly LineId[] }[] = [
  { part: passwords, lines: ["A1", "A6"] },
  { part: throttles, lines: ["B2", "B3", "B5"] },
  { part: signInFlood, lines: ["K5"] },
  { part: timing, lines: ["C3"] },
  { part: mailedKeys, lines: ["D1", "D6", "D12"] },
  { part: google, lines: ["F9"] },
  { part: revocation, lines: ["E4"] },
  { part: accountFaults, lines: ["D12", "E2"] },
  { part: tokens, lines: ["E1", "E2", "E5", "E6", "E7"] },
  { part: json, lines: ["J4"] },
  { part: naughty, lines: ["J8"] },
  { part: forgery, lines: ["G1", "G3", "G4", "F11"] },
  { part: authorisation, lines: ["H3", "H4", "G2", "G7", "J4"] },
  { part: headers, lines: ["G1", "G5"] },
  { part: connections, lines: ["G6"] },
  { part: files, lines: ["J3", "J5", "J7"] },
  { part: cancelStorm, lines: ["H7"] },
  { part: echoes, lines: ["I8"] },
  { part: outbound, lines: ["J1"] },
  { part: traces, lines: ["J2", "J6"] },
  { part: packages, lines: ["J7"] },
  { part: rendering, lines: ["I1", "I2", "I3", "I4", "I5", "I6", "I9", "J8"] },
  { part: fuzz, lines: ["J4"] },
];
