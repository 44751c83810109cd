import { accountFaults } from "./accounts/account-faults.ts";
import { google } from "./accounts/google.ts";
import { mailedKeys } from "./accounts/mailed-keys.ts";
import { passkeys } from "./accounts/passkeys.ts";
import { passwords } from "./accounts/passwords.ts";
import { revocation } from "./accounts/revocation.ts";
import { secondFactor } from "./accounts/second-factor.ts";
import { signInFlood } from "./accounts/sign-in-flood.ts";
import { singleSignOn } from "./accounts/single-sign-on.ts";
import { throttles } from "./accounts/throttles.ts";
import { timing } from "./accounts/timing.ts";
import { tokens } from "./accounts/tokens.ts";
import { authorisation } from "./http/authorisation.ts";
import { cancelStorm } from "./http/cancel-storm.ts";
import { connections } from "./http/connections.ts";
import { files } from "./http/files.ts";
import { forgery } from "./http/forgery.ts";
import { headers } from "./http/headers.ts";
import { sharedLinks } from "./http/shared-links.ts";
import { echoes } from "./hygiene/echoing-upstream.ts";
import { outbound } from "./hygiene/outbound.ts";
import { packages } from "./hygiene/packages.ts";
import { traces } from "./hygiene/traces.ts";
import { fuzz } from "./inputs/fuzz.ts";
import { json } from "./inputs/json.ts";
import { naughty } from "./inputs/naughty.ts";
import type { LineId } from "./lines.ts";
import { rendering } from "./rendering/rendering.ts";
import type { Suite } from "./security-suite.ts";
import { toolServers } from "./tools/tool-servers.ts";
import { toolSignIns } from "./tools/tool-sign-ins.ts";

/** Suites in the order of execution, with the checklist lines that they report. */
export const allSuites: { suite: Suite; lines: readonly LineId[] }[] = [
  { suite: passwords, lines: ["A1", "A6"] },
  { suite: throttles, lines: ["B2", "B3", "B5"] },
  { suite: signInFlood, lines: ["K5"] },
  { suite: timing, lines: ["C3"] },
  { suite: mailedKeys, lines: ["D1", "D6", "D12"] },
  { suite: google, lines: ["F9"] },
  { suite: secondFactor, lines: ["O1", "O2"] },
  { suite: passkeys, lines: ["O3"] },
  { suite: singleSignOn, lines: ["O4", "O5"] },
  { suite: revocation, lines: ["E4"] },
  { suite: accountFaults, lines: ["D12", "E2"] },
  { suite: tokens, lines: ["E1", "E2", "E5", "E6", "E7"] },
  { suite: json, lines: ["J4"] },
  { suite: naughty, lines: ["J8"] },
  { suite: forgery, lines: ["G1", "G3", "G4", "F11"] },
  { suite: authorisation, lines: ["H3", "H4", "G2", "G7", "J4"] },
  { suite: headers, lines: ["G1", "G5"] },
  { suite: connections, lines: ["G6"] },
  { suite: files, lines: ["J3", "J5", "J7"] },
  { suite: sharedLinks, lines: ["H6"] },
  { suite: cancelStorm, lines: ["H7"] },
  { suite: echoes, lines: ["I8"] },
  { suite: outbound, lines: ["J1"] },
  { suite: traces, lines: ["J2", "J6"] },
  { suite: packages, lines: ["J7"] },
  { suite: toolServers, lines: ["N1", "N2", "N3", "N4", "N5", "K9", "K10"] },
  { suite: toolSignIns, lines: ["N2", "N4", "K9"] },
  { suite: rendering, lines: ["I1", "I2", "I3", "I4", "I5", "I6", "I9", "J8"] },
  { suite: fuzz, lines: ["J4"] },
];
