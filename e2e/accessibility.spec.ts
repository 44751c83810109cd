import { readFileSync } from "node:fs";
import { test as withChat } from "./chat-screen.ts";
import { expect, expectAccessible, test } from "./fixtures.ts";
import { ASKS_GOOGLE, test as withGoogle } from "./google-server.ts";
import { animationsEnded } from "./looks.ts";
import { otherRoles, ownerScreens } from "./screens/administration.ts";
import { lists, menus } from "./screens/chats.ts";
import { answers, arabic, conversations, messages, withoutNetwork } from "./screens/conversations.ts";
import { files } from "./screens/files.ts";
import { googleScreens } from "./screens/google.ts";
import { linkScreens } from "./screens/links.ts";
import { accountSettings, otherSettings } from "./screens/settings.ts";
import { shares } from "./screens/shares.ts";
import {
  otherAccountScreens,
  recoveryScreens,
  registrationScreens,
  signInScreens,
  verificationScreens,
} from "./screens/signed-out.ts";
import { ssoScreens } from "./screens/single-sign-on.ts";
import { tools } from "./screens/tools.ts";
import { pathsOf, type Scene, walk } from "./screens/walk.ts";
import { test as withShop } from "./shop.ts";

const ERRORS = "Failed to load resource|flowDiagram|net::ERR_";
test.use({ expectedErrors: [new RegExp(ERRORS)] });
// A walk has up to thirty screens, each of which is scanned.
test.slow();

for (const [area, screens] of Object.entries({
  "sign-in": signInScreens,
  "single sign-on": ssoScreens,
  registration: registrationScreens,
  "the verification of an address": verificationScreens,
  "mailed links": recoveryScreens,
  "links to chats @phone": linkScreens,
})) {
  test(`axe finds nothing on the screens of ${area} @every-screen`, async ({ page, parley: { app }, isMobile }) => {
    await walk<Scene>({ page, app, isMobile, ids: {} }, screens);
  });
}

test("axe finds nothing on the screens of another account's links @every-screen", async ({
  page,
  account: _,
  parley: { app },
  isMobile,
}) => {
  await walk<Scene>({ page, app, isMobile, ids: {} }, otherAccountScreens);
});

// Walks that add only states of pages or a direction are left to the proof. The last test holds that `npm test`
// scans every page.
for (const [area, screens] of Object.entries({
  "the menus and dialogs of the chats": menus,
  "the list of chats @proof": lists,
  conversations,
  messages,
  "an answer that is written @proof": answers,
  "a lost network @proof": withoutNetwork,
  files,
  "links to chats": shares,
  "Arabic @proof": arabic,
})) {
  withChat(
    `axe finds nothing in ${area} @every-screen`,
    async ({ chat, page, provider, parley: { app }, isMobile, context }) => {
      await walk({ chat, page, app, provider, isMobile, ids: {} }, screens);
      await context.setOffline(false);
    },
  );
}

withShop(
  "axe finds nothing in the tools of a chat @every-screen",
  async ({ chat, page, provider, shop, parley, isMobile }) => {
    shop.reset();
    await walk({ chat, page, app: parley.app, provider, shop, isMobile, ids: {} }, tools);
  },
);

for (const [area, screens] of Object.entries({ account: accountSettings, "chats and data": otherSettings })) {
  withChat(
    `axe finds nothing in the settings of ${area} @every-screen`,
    async ({ chat, page, parley: { app }, isMobile }) => {
      await walk({ chat, page, app, isMobile, account: chat.account, ids: {} }, screens);
    },
  );
}

/** A server with a budget, which the overview shows. */
const withBudget = test.extend<object, { serverEnv: Record<string, string> }>({
  serverEnv: [{ MONTHLY_BUDGET_USD: "10" }, { scope: "worker" }],
});

for (const [role, screens] of Object.entries({ "an owner": ownerScreens, "other accounts": otherRoles })) {
  withBudget(
    `axe finds nothing in the administration of ${role} @every-screen`,
    async ({ page, account, parley: { app, provider }, isMobile }) => {
      await walk({ page, app, provider, account, isMobile, ids: {} }, screens);
      // Other tests of the worker share the server.
      await app.context.database.deleteFrom("settings").execute();
      await app.context.installation.reload();
    },
  );
}

test.describe("Google", () => {
  withGoogle.use({ expectedErrors: [new RegExp(`${ERRORS}|${ASKS_GOOGLE}|The Google button is missing`)] });

  withGoogle(
    "axe finds nothing on the screens with Google's button @every-screen",
    async ({ page, google, parley: { app }, isMobile }) => {
      await walk({ page, app, google, isMobile, ids: {} }, googleScreens);
    },
  );
});

withChat(
  "with high contrast every colour passes the enhanced rule in both themes @every-screen @proof",
  async ({ chat, page }) => {
    const id = await chat.prepare("How do I count?", "```python\nfor n in range(3):\n    print(n)\n```");
    const open = ["account", "appearance", "data"].map((section) => `/settings/${section}`);
    for (const path of [`/chat?c=${id}`, ...open, "/accessibility", "/no/such/page"]) {
      await page.goto(path);
      await expect(page.getByRole("main").locator("h1")).toBeVisible();
      if (path.endsWith(id)) await expect(chat.messages.locator("figure pre span span").first()).toBeVisible();
      for (const theme of ["dark", "light"]) {
        await page.evaluate(
          (name) => Object.assign(document.documentElement.dataset, { theme: name, contrast: "more" }),
          theme,
        );
        await animationsEnded(page);
        await expectAccessible(page, ["color-contrast-enhanced", "link-in-text-block"], `${path}, ${theme}`);
      }
    }
  },
);

const sourceOf = (path: string) => readFileSync(new URL(`../web/${path}`, import.meta.url), "utf8");
const namesIn = (catalogue: string, group: string) =>
  Object.keys(JSON.parse(sourceOf(`locales/en/${catalogue}.json`))[group]);

/** Returns the paths of the router, except for redirections, with each page of the settings and the administration. */
function routes(): string[] {
  const paths = [...sourceOf("app/app.tsx").matchAll(/<Route path="([^"]+)" element={<(?!Navigate)/g)].map(
    ([, path = ""]) => path,
  );
  const pages: Record<string, string[]> = {
    ":section": namesIn("app", "settingsPage"),
    ":page": namesIn("administration", "page"),
    ":page/:account": ["people/:account"],
  };
  return paths.flatMap((path) => {
    const [start = "", parameter = ""] = path.split(/(?=:)(.*)/);
    return pages[parameter]?.map((page) => start + page) ?? path;
  });
}

test("every page of the web application has a row in the tables that npm test walks", () => {
  const tables = [
    signInScreens,
    ssoScreens,
    registrationScreens,
    verificationScreens,
    recoveryScreens,
    otherAccountScreens,
  ];
  const walked = [
    ...pathsOf(...tables),
    ...pathsOf(menus, conversations, messages, files),
    ...pathsOf(accountSettings, otherSettings),
    ...pathsOf(ownerScreens, otherRoles),
  ];
  const isWalked = (route: string) => {
    const pattern = new RegExp(`^${route.replace(/:\w+/g, "[^/]+").replace("*", "/no/such/page")}$`);
    return walked.some((path) => pattern.test(path));
  };
  expect(routes().length).toBeGreaterThan(20);
  expect(routes().filter((route) => !isWalked(route))).toEqual([]);
});
