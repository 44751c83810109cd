/** The i18next instance and the English texts: texts that every page needs are here, the others in lazy modules. */

import i18n from "i18next";
import { initReactI18next } from "react-i18next";
import { entrySentences } from "#contract/entry-errors.ts";
import type { errorSentences } from "#contract/errors.ts";
import { validationTemplates } from "#contract/text/validation.ts";
import { isolate } from "./direction.ts";
import type access from "./en/access.json";
import accounts from "./en/accounts.json";
import type actions from "./en/actions.json";
import type administration from "./en/administration.json";
import app from "./en/app.json";
import type appearance from "./en/appearance.json";
import type branches from "./en/branches.json";
import type bulk from "./en/bulk.json";
import type chat from "./en/chat.json";
import type classCode from "./en/classCode.json";
import type classSheet from "./en/classSheet.json";
import type connections from "./en/connections.json";
import type emailLinks from "./en/emailLinks.json";
import type files from "./en/files.json";
import type groups from "./en/groups.json";
import type identityProviders from "./en/identityProviders.json";
import type installation from "./en/installation.json";
import type invitations from "./en/invitations.json";
import type mcpServers from "./en/mcpServers.json";
import type modelFacts from "./en/modelFacts.json";
import type modelMenu from "./en/modelMenu.json";
import type modelSearch from "./en/modelSearch.json";
import type models from "./en/models.json";
import type moving from "./en/moving.json";
import type notice from "./en/notice.json";
import type organise from "./en/organise.json";
import type ownership from "./en/ownership.json";
import type ownServers from "./en/ownServers.json";
import type parts from "./en/parts.json";
import type passkey from "./en/passkey.json";
import type presets from "./en/presets.json";
import type print from "./en/print.json";
import type providers from "./en/providers.json";
import type queue from "./en/queue.json";
import type records from "./en/records.json";
import type recovery from "./en/recovery.json";
import type replies from "./en/replies.json";
import type search from "./en/search.json";
import type secondFactor from "./en/secondFactor.json";
import type secondStep from "./en/secondStep.json";
import type settings from "./en/settings.json";
import type shares from "./en/shares.json";
import type sso from "./en/sso.json";
import type temporary from "./en/temporary.json";
import type toolApprovals from "./en/toolApprovals.json";
import type toolForms from "./en/toolForms.json";
import type toolServers from "./en/toolServers.json";
import type toolSignIn from "./en/toolSignIn.json";
import type transfer from "./en/transfer.json";
import type usage from "./en/usage.json";
import type waiting from "./en/waiting.json";
import type webSearch from "./en/webSearch.json";
import type { Variables } from "./variables.ts";

const shellTexts = { app, accounts, errors: entrySentences, validation: validationTemplates };

/** English texts by namespace, as lazy modules register them. */
type LazyTexts = {
  access: typeof access;
  actions: typeof actions;
  administration: typeof administration;
  appearance: typeof appearance;
  branches: typeof branches;
  bulk: typeof bulk;
  chat: typeof chat;
  classCode: typeof classCode;
  classSheet: typeof classSheet;
  connections: typeof connections;
  emailLinks: typeof emailLinks;
  errors: typeof errorSentences;
  files: typeof files;
  groups: typeof groups;
  identityProviders: typeof identityProviders;
  installation: typeof installation;
  invitations: typeof invitations;
  mcpServers: typeof mcpServers;
  modelFacts: typeof modelFacts;
  modelMenu: typeof modelMenu;
  modelSearch: typeof modelSearch;
  models: typeof models;
  moving: typeof moving;
  notice: typeof notice;
  organise: typeof organise;
  ownServers: typeof ownServers;
  ownership: typeof ownership;
  parts: typeof parts;
  passkey: typeof passkey;
  presets: typeof presets;
  providers: typeof providers;
  queue: typeof queue;
  print: typeof print;
  records: typeof records;
  recovery: typeof recovery;
  replies: typeof replies;
  search: typeof search;
  secondFactor: typeof secondFactor;
  secondStep: typeof secondStep;
  settings: typeof settings;
  shares: typeof shares;
  sso: typeof sso;
  temporary: typeof temporary;
  toolApprovals: typeof toolApprovals;
  toolForms: typeof toolForms;
  toolServers: typeof toolServers;
  toolSignIn: typeof toolSignIn;
  transfer: typeof transfer;
  usage: typeof usage;
  waiting: typeof waiting;
  webSearch: typeof webSearch;
};

/** The source of the types of keys and of their arguments. */
export type Texts = typeof shellTexts & LazyTexts & Variables;

void i18n.use(initReactI18next).init({
  lng: "en",
  fallbackLng: "en",
  resources: { en: shellTexts },
  defaultNS: "app",
  // React escapes HTML; an interpolated text is only isolated to keep its direction.
  interpolation: { escape: (text) => isolate(text, i18n.dir() === "rtl") },
  initAsync: false,
});

/**
 * Adds the English texts of a namespace. Called at the top level of a lazy module, so that the texts join its chunk;
 * `scripts/test/registered-texts.ts` finds a lazy module that uses a namespace before it is registered.
 */
export function registerTexts<Namespace extends keyof LazyTexts>(
  namespace: Namespace,
  texts: LazyTexts[Namespace],
): void {
  i18n.addResourceBundle("en", namespace, texts);
}

export { i18n };
