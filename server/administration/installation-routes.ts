import * as z from "zod/mini";
import { changeSettingsSchema, installationSettingsSchema } from "#contract/administration/installation.ts";
import { newSiteNoticeSchema } from "#contract/administration/new-site-notice.ts";
import { administrationPaths } from "#contract/administration/paths.ts";
import { changeSetupSchema, SETUP_PATH, setupSchema, testMailSchema } from "#contract/administration/setup.ts";
import { SITE_NOTICE_PATH, siteNoticeAnswerSchema } from "#contract/administration/site-notice.ts";
import { changerOf } from "../accounts/trust/changer-of.ts";
import type { RouteApp } from "../http/validation.ts";
import { shownNotice } from "../installation/site-notice.ts";
import {
  type InstallationDeps,
  readSettings,
  readSetup,
  saveNotice,
  saveSettings,
  saveSetup,
  sendTestMail,
} from "./installation.ts";

const tags = ["administration"];
const limit = "account-change";
const provedAdministrator = { role: "administrator", proof: true, limit } as const;
const owner = { role: "owner", limit } as const;
const provedOwner = { ...owner, proof: true } as const;

/** Settings of the installation, the notice to everybody, and the first steps. */
export function installationRoutes(app: RouteApp, deps: InstallationDeps): void {
  settingRoutes(app, deps);
  noticeRoutes(app, deps);
  setupRoutes(app, deps);
}

function settingRoutes(app: RouteApp, deps: InstallationDeps): void {
  app.get(
    administrationPaths.settings,
    {
      config: { role: "administrator" },
      schema: {
        summary: "Get the settings of the installation, with the source of each",
        tags,
        response: { 200: installationSettingsSchema },
      },
    },
    () => readSettings(deps),
  );
  app.patch(
    administrationPaths.settings,
    {
      config: provedOwner,
      schema: {
        summary: "Change settings of the installation",
        description:
          "Null resets a setting to its default. If one is refused, none is changed: `fixed`, set by the environment; " +
          "`domain`, not a domain. Takes effect on every process, without a restart. Of two changes the last one stays.",
        tags,
        body: changeSettingsSchema,
        response: { 200: installationSettingsSchema },
      },
    },
    (request) => saveSettings(deps, request.body, changerOf(request)),
  );
}

function noticeRoutes(app: RouteApp, deps: InstallationDeps): void {
  const { clock, installation } = deps;
  const current = () => ({ notice: shownNotice(installation.notice, clock.now()) });
  app.get(
    SITE_NOTICE_PATH,
    {
      schema: {
        summary: "Get the notice of the administrators to everybody",
        tags: ["accounts"],
        response: { 200: siteNoticeAnswerSchema },
      },
    },
    async () => current(),
  );
  app.put(
    administrationPaths.changedNotice,
    {
      config: provedAdministrator,
      schema: {
        summary: "Replace the notice to everybody",
        description: "Plain text. A changed notice has a new id, and is shown to those too who dismissed the old one.",
        tags,
        body: newSiteNoticeSchema,
        response: { 200: siteNoticeAnswerSchema },
      },
    },
    async (request) => {
      await saveNotice(deps, request.body, changerOf(request));
      return current();
    },
  );
  app.delete(
    administrationPaths.changedNotice,
    {
      config: provedAdministrator,
      schema: { summary: "Remove the notice to everybody", tags, response: { 204: z.undefined() } },
    },
    async (request, reply) => {
      await saveNotice(deps, null, changerOf(request));
      return reply.code(204).send();
    },
  );
}

function setupRoutes(app: RouteApp, deps: InstallationDeps): void {
  app.get(
    SETUP_PATH,
    {
      config: { role: "owner" },
      schema: { summary: "Get the state of the first steps of an owner", tags, response: { 200: setupSchema } },
    },
    () => readSetup(deps),
  );
  app.patch(
    SETUP_PATH,
    {
      config: owner,
      schema: {
        summary: "Skip first steps, or dismiss the hint to them for good",
        tags,
        body: changeSetupSchema,
        response: { 200: setupSchema },
      },
    },
    async (request) => {
      await saveSetup(deps, request.body, changerOf(request));
      return readSetup(deps);
    },
  );
  app.post(
    administrationPaths.testMail,
    {
      config: provedOwner,
      schema: {
        summary: "Mail a test letter to the own address",
        description: "Waits up to ten seconds for the answer of the mail server.",
        tags,
        response: { 200: testMailSchema },
      },
    },
    (request) => sendTestMail(deps, changerOf(request)),
  );
}
