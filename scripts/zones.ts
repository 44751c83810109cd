// The import rules of contract/, server/ and web/. `npm run check` fails if an import breaks a rule, or if a folder belongs
// to no zone. `npm run zones` draws them in ARCHITECTURE.md. biome.json repeats those between roots, for the editor.
// Moving a folder changes one `path`. Zones are named in `imports` by their names, so nothing else changes.

import type { Zone, ZoneTable } from "./structure/zone-table.ts";
import { webZones } from "./web-zones.ts";

const serverStart = ["shared", "text", "concurrency", "database"];
const serverBase = [
  ...[
    "shared",
    "text",
    "concurrency",
    "config",
    "bus",
    "database",
    "audit",
    "installation",
    "limits",
    "outbound",
    "http",
  ],
];
const modelBase = [...serverBase, "accounts", "models"];

const server: readonly Zone[] = [
  {
    name: "shared",
    path: ["server/failure.ts", "server/log.ts"],
    imports: [],
    reason: "Every rule throws failures and every folder logs.",
  },
  { name: "text", path: "server/text", imports: [], reason: "Pure functions." },
  {
    name: "concurrency",
    path: "server/concurrency",
    imports: ["shared"],
    reason: "Queues and clocks serve all features.",
  },
  {
    name: "database",
    path: "server/database",
    imports: ["shared", "text", "concurrency"],
    reason: "The database imports no feature.",
  },
  { name: "config", path: "server/config", imports: serverStart, reason: "The configuration imports no feature." },
  {
    name: "audit",
    path: "server/audit",
    imports: ["shared", "database"],
    reason: "Every feature may record its administration.",
  },
  {
    name: "bus",
    path: "server/bus",
    imports: [...serverStart, "config"],
    reason: "Notifications between processes carry no content, so no feature.",
  },
  {
    name: "installation",
    path: "server/installation",
    imports: [...serverStart, "config", "audit", "bus"],
    reason: "Every feature reads the settings that owners change.",
  },
  { name: "limits", path: "server/limits", imports: [...serverStart, "config"], reason: "Limits depend on keys only." },
  {
    name: "outbound",
    path: "server/outbound",
    imports: [...serverStart, "config"],
    reason: "Connections to other servers depend on settings only.",
  },
  {
    name: "browsing",
    path: "server/browsing",
    imports: ["shared", "text", "concurrency", "outbound"],
    reason: "Reads the web independently of features.",
  },
  {
    name: "http",
    path: "server/http",
    imports: [...serverStart, "config", "bus", "limits"],
    reason: "The HTTP layer imports no feature.",
  },
  { name: "mail", path: "server/mail", imports: serverBase, reason: "The outbox imports no feature." },
  {
    name: "accounts",
    path: "server/accounts",
    imports: [...serverBase, "mail"],
    reason: "Accounts import no other feature.",
  },
  {
    name: "models",
    path: "server/models",
    imports: [...serverBase, "accounts"],
    reason: "Of the features, models import only accounts.",
  },
  { name: "connections", path: "server/connections", imports: modelBase, reason: "Stores addresses of providers." },
  { name: "usage", path: "server/usage", imports: modelBase, reason: "Counts calls to models." },
  { name: "budgets", path: "server/budgets", imports: [...modelBase, "usage"], reason: "Limits the cost of calls." },
  { name: "groups", path: "server/groups", imports: [...modelBase, "usage", "budgets"], reason: "Groups of accounts." },
  {
    name: "presets",
    path: "server/presets",
    imports: modelBase,
    reason: "Of the features, presets import only accounts and models.",
  },
  {
    name: "files",
    path: "server/files",
    imports: [...serverBase, "accounts"],
    reason: "Attached files, without the messages that name them.",
  },
  {
    name: "search",
    path: "server/search",
    imports: [...serverBase, "accounts"],
    reason: "Chats and conversation write its index.",
  },
  {
    name: "chats",
    path: "server/chats",
    imports: [...serverBase, "accounts", "models", "usage", "presets", "files", "search"],
    reason: "Chats are filed and listed without their messages.",
  },
  {
    name: "tools",
    path: "server/tools",
    imports: [...modelBase, "browsing", "files", "search", "chats"],
    reason: "Tools that models call; conversation stores their calls.",
  },
  {
    name: "mcp",
    path: "server/mcp",
    imports: [...serverBase, "accounts", "tools"],
    reason: "Servers with tools; conversation calls them as any tool.",
  },
  {
    name: "conversation",
    path: "server/conversation",
    imports: [...modelBase, "groups", "usage", "budgets", "presets", "files", "search", "chats", "tools"],
    reason: "Messages and replies.",
  },
  {
    name: "transfer",
    path: "server/transfer",
    imports: [...serverBase, "accounts", "presets", "files", "search", "chats", "conversation"],
    reason: "Export and import of what the other features store.",
  },
  {
    name: "shares",
    path: "server/shares",
    imports: [...serverBase, "accounts", "files", "search", "chats", "conversation", "transfer"],
    reason: "Links to snapshots of chats.",
  },
  {
    name: "administration",
    path: "server/administration",
    imports: [...serverBase, "mail", "accounts", "models", "usage", "budgets", "files", "search", "chats", "shares"],
    reason: "Screens of administrators; no route to words.",
  },
  {
    name: "telemetry",
    path: "server/telemetry",
    imports: [...serverBase, "mail", "models", "usage", "conversation"],
    reason: "Observes the features, which do not import it.",
  },
  { name: "process", path: "server/process", imports: "above", reason: "The composition root." },
  {
    name: "cli",
    path: "server/cli",
    imports: [
      ...modelBase,
      "connections",
      "mail",
      "groups",
      "usage",
      "presets",
      "files",
      "search",
      "chats",
      "browsing",
      "tools",
      "mcp",
      "conversation",
      "transfer",
    ],
    reason: "A separate composition root.",
  },
  {
    name: "entry",
    path: "server/*",
    imports: ["shared", "config", "process"],
    reason: "The entry point of the process.",
  },
];

const sql = ["kysely", "kysely/**", "pg", "node:sqlite"];
const react = ["react", "react/**", "react-*", "react-*/**"];

export const zoneTable: ZoneTable = {
  roots: [
    {
      folder: "contract",
      zones: [{ name: "contract", path: "contract", imports: [], reason: "The data between browser and server." }],
      roots: [],
      neverInTests: ["server", "web", "testing", "security"],
      reason: "The contract imports zod and itself, and fflate for archives, nothing else.",
      testsImport: "their zone's",
    },
    {
      folder: "server",
      zones: server,
      roots: ["contract"],
      neverInTests: ["web", "security"],
      reason: "The server never imports the web part; only tests import testing/. Attacks import all of them.",
      testsImport: "every zone",
    },
    {
      folder: "web",
      zones: webZones,
      roots: ["contract"],
      neverInTests: ["server", "testing", "security"],
      testsMayImport: ["testing/rendering"],
      reason: "The web part never imports the server; only tests import testing/.",
      testsImport: "their zone's",
    },
  ],
  packages: [
    {
      in: ["contract"],
      packages: ["**", "!zod", "!zod/*", "!fflate", "!./**", "!../**", "!vitest", "!fast-check"],
      inTests: true,
      reason: "The contract imports zod and itself, and fflate for archives, nothing else.",
    },
    {
      in: ["server", "testing", "torture", "security"],
      packages: react,
      inTests: true,
      reason: "The server never imports the web part.",
    },
    {
      in: ["server"],
      packages: ["node:process", "process"],
      except: ["server/entry.ts", "server/run-server.ts", "server/cli/main.ts"],
      inTests: false,
      reason: "Only the entry points read the environment: take values as arguments.",
    },
    {
      in: ["server"],
      packages: sql,
      except: ["*-store.ts", "server/database", "server/http/health.ts", "server/config/data-folder.ts"],
      inTests: false,
      reason: "Only *-store.ts holds SQL.",
    },
    { in: ["web"], packages: ["fastify", "kysely", "pg"], inTests: true, reason: "A browser has no server." },
    { in: ["web"], packages: ["node:*", "node:*/**"], inTests: true, reason: "A browser has no Node." },
    { in: ["web/api"], packages: react, inTests: true, reason: "api/ imports neither React nor screens." },
    {
      in: ["web/shared-page"],
      packages: [...react, "i18next", "zod", "zod/**"],
      inTests: true,
      reason: "The page of a link weighs 15 kB at most.",
    },
  ],
  otherRoots: [
    {
      folders: ["testing", "torture", "security"],
      never: ["web"],
      reason: "Test servers and attacks never import the web part.",
    },
  ],
};
