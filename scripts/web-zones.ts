// The import rules of web/, a part of `zones.ts`.

import type { Zone } from "./structure/zone-table.ts";

const webBase = ["log", "store", "storage", "ui", "locales"];

const webFeatures = [
  ...[...webBase, "api", "forms", "markdown", "usage", "transfer", "accounts", "queries", "search", "shares"],
  ...["chats", "reply", "models", "presets", "files", "scroll", "proof", "page", "message"],
];

export const webZones: readonly Zone[] = [
  { name: "log", path: "web/log.ts", imports: [], reason: "The one file that writes to the console." },
  { name: "store", path: "web/store", imports: [], reason: "Observable values without a feature." },
  { name: "storage", path: "web/storage", imports: ["log", "store"], reason: "The browser's storage." },
  { name: "locales", path: "web/locales", imports: ["log", "store", "storage"], reason: "Texts." },
  {
    name: "ui",
    path: "web/ui",
    imports: ["log", "store", "storage", "locales"],
    reason: "Components, keys and appearance without a feature.",
  },
  {
    name: "api",
    path: "web/api",
    imports: ["log", "store", "storage", "locales"],
    reason: "Requests and streams, without React and screens.",
  },
  {
    name: "shared-page",
    path: "web/shared-page/page",
    imports: ["locales", "ui"],
    reason: "The page of a link, in a document of its own and in the application: without React and i18next.",
  },
  {
    name: "shared-document",
    path: "web/shared-page",
    imports: ["log", "storage", "locales", "ui", "api", "shared-page"],
    reason: "The document of a link, built apart from the application.",
  },
  { name: "forms", path: "web/forms", imports: [...webBase, "api"], reason: "Forms without a feature." },
  { name: "sandbox", path: "web/sandbox", imports: [], reason: "A separate page in a frame with an opaque origin." },
  {
    name: "markdown",
    path: "web/markdown",
    imports: [...webBase, "sandbox"],
    reason: "Text becomes elements, without chats.",
  },
  { name: "usage", path: "web/usage", imports: [...webBase, "api"], reason: "Formatting of usage." },
  {
    name: "accounts",
    path: "web/accounts",
    imports: [...webBase, "api", "forms"],
    reason: "Accounts import no other feature.",
  },
  {
    name: "queries",
    path: "web/queries",
    imports: ["store", "api", "forms", "accounts"],
    reason: "Cached answers, which end with the session.",
  },
  {
    name: "proof",
    path: "web/proof",
    imports: [...webBase, "api", "forms", "accounts", "queries"],
    reason: "Recent authentication, which every sensitive form asks for.",
  },
  {
    name: "page",
    path: "web/page",
    imports: [...webBase, "api", "forms", "accounts"],
    reason: "The form of the pages of settings and administration.",
  },
  { name: "access", path: "web/access", imports: [...webBase, "accounts"], reason: "A separate page." },
  {
    name: "models",
    path: "web/models",
    imports: [...webBase, "api", "accounts", "queries"],
    reason: "The choice of a model.",
  },
  {
    name: "files",
    path: "web/files",
    imports: [...webBase, "api", "forms", "accounts", "queries"],
    reason: "Attached files, without the messages that name them.",
  },
  {
    name: "transfer",
    path: "web/transfer",
    imports: [...webBase, "api", "files"],
    reason: "Export, and import with files.",
  },
  {
    name: "search",
    path: "web/search",
    imports: [...webBase, "api", "forms", "accounts", "queries"],
    reason: "Of the features, search imports only accounts.",
  },
  {
    name: "shares",
    path: "web/shares",
    imports: [...webBase, "api", "forms", "accounts", "queries", "shared-page"],
    reason: "Links to chats, without the list of chats, which opens their dialog.",
  },
  {
    name: "chats",
    path: "web/chats",
    imports: [...webBase, "api", "forms", "accounts", "transfer", "search", "shares"],
    reason: "The list of chats does not import the open one.",
  },
  {
    name: "presets",
    path: "web/presets",
    imports: [...webBase, "api", "forms", "accounts", "queries", "models", "chats"],
    reason: "The choice of a preset in a chat.",
  },
  {
    name: "reply",
    path: "web/reply",
    imports: [...webBase, "api", "usage", "accounts", "chats"],
    reason: "From the socket to words in the store, without the screen.",
  },
  {
    name: "scroll",
    path: "web/scroll",
    imports: [...webBase, "chats"],
    reason: "The window of messages, without their content.",
  },
  {
    name: "message",
    path: "web/message",
    imports: [...webBase, "markdown", "chats", "reply", "models", "files", "scroll"],
    reason: "One message, without a chat session.",
  },
  {
    name: "notice",
    path: "web/notice",
    imports: [...webBase, "api", "accounts", "queries"],
    reason: "Above each page, and on the empty chat.",
  },
  {
    name: "conversation",
    path: "web/conversation",
    imports: [...webFeatures, "notice", "sandbox", "shared-page"],
    reason: "The open chat does not import settings.",
  },
  {
    name: "settings",
    path: "web/settings",
    imports: [...webFeatures, "conversation", "shared-page"],
    reason: "Settings of all features.",
  },
  {
    name: "administration",
    path: "web/administration",
    imports: [...webFeatures, "notice", "settings"],
    reason: "Screens of administrators, in the form of the settings.",
  },
  {
    name: "actions",
    path: "web/actions",
    imports: [...webFeatures, "conversation", "notice", "settings", "administration"],
    reason: "The palette and the keys reach every feature.",
  },
  { name: "app", path: "web/app", imports: "above", reason: "Routes and pages: only app/ joins the features." },
  { name: "service-worker", path: "web/service-worker", imports: [], reason: "Built apart from the page." },
  { name: "entry", path: "web/*", imports: [...webBase, "app", "accounts"], reason: "The entry point of the page." },
  {
    name: "testing",
    path: "web/testing",
    imports: "above",
    isForTests: true,
    reason: "Only tests import testing/.",
  },
];
