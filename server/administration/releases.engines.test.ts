import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Overview, overviewSchema } from "#contract/administration/overview.ts";
import { administrationPaths } from "#contract/administration/paths.ts";
import { DAY } from "#contract/limits.ts";
import { signUpAs } from "../../testing/accounts/roles.ts";
import { changeSettingsOf } from "../../testing/accounts/settings.ts";
import type { TestAccount } from "../../testing/accounts/sign-up.ts";
import {
  createTestHarness,
  startTestApp,
  type TestApp,
  TestClock,
  type TestHarness,
} from "../../testing/app/start-test-app.ts";
import { startWebServer, type WebServer } from "../../testing/browsing/web-server.ts";
import { startForwardProxy } from "../../testing/servers/forward-proxy.ts";
import { readProgramVersion } from "../config/program-version.ts";
import { isNewer } from "./releases.ts";

const PATH = "/releases/latest";
const URL_OF_RELEASE = "https://git.example.org/parley/releases/v99.0.0";

let opened: AsyncDisposableStack;
let harness: TestHarness;
let web: WebServer;
let clock: TestClock;
let app: TestApp;
let owner: TestAccount;
beforeEach(async () => {
  opened = new AsyncDisposableStack();
  clock = new TestClock();
  web = opened.use(await startWebServer());
  answer({ tag_name: "v99.0.0", html_url: URL_OF_RELEASE });
  harness = opened.use(await createTestHarness(undefined, { isMigrated: true }));
  app = await start();
  owner = await signUpAs(app, "owner");
});
afterEach(() => opened.disposeAsync());

const answer = (body: unknown) =>
  web.answers.set(PATH, { headers: { "content-type": "application/json" }, body: JSON.stringify(body) });

const start = async (env: Record<string, string> = {}) => {
  const RELEASES_URL = web.url(PATH, "127.0.0.1");
  return opened.use(await startTestApp({ harness, clock, env: { RELEASES_URL, ...env } }));
};

async function read(of = app): Promise<Overview> {
  const response = await of.call("GET", administrationPaths.overview, { token: owner.token });
  return overviewSchema.parse(await response.json());
}

const releasesOf = async (of = app) => (await read(of)).releases;
const switchOn = () => changeSettingsOf(app, owner, { releaseCheck: "on" });

describe("the question for newer versions", () => {
  it("nothing is asked before an owner has switched it on", async () => {
    expect(await releasesOf()).toEqual({ isChecked: false, isFixed: false });
    expect(web.requests).toEqual([]);
  });

  it("without an address of releases the overview has none", async () => {
    await app[Symbol.asyncDispose]();
    expect(await releasesOf(await start({ RELEASES_URL: "" }))).toBeUndefined();
  });

  it("a newer version is reported, by one request a day that says nothing about the installation", async () => {
    await switchOn();
    const known = { isChecked: true, isFixed: false, newer: { version: "99.0.0", url: URL_OF_RELEASE } };
    expect(await releasesOf()).toEqual({ ...known, checkedAt: clock.now() });
    const { host, ...headers } = web.requests[0]?.headers ?? {};
    expect(web.requests).toMatchObject([{ method: "GET", path: PATH, body: "" }]);
    expect(host).toBe(`127.0.0.1:${web.port}`);
    expect(headers).toEqual({
      accept: "application/json",
      "accept-encoding": "gzip, br",
      "user-agent": "Parley",
      connection: expect.any(String),
    });
    const checkedAt = clock.now();
    clock.advance(DAY - 1);
    expect(await releasesOf()).toEqual({ ...known, checkedAt });
    expect(web.requests).toHaveLength(1);
    clock.advance(1);
    expect(await releasesOf()).toEqual({ ...known, checkedAt: clock.now() });
    expect(web.requests).toHaveLength(2);
  });

  it("several overviews at once send one request, on several processes too", async () => {
    await switchOn();
    await Promise.all([read(), read(), read()]);
    expect(web.requests).toHaveLength(1);
    await app[Symbol.asyncDispose]();
    await read(await start());
    expect(web.requests).toHaveLength(1);
  });

  it("the own version is the newest, and so is one that is newer than the released one", async () => {
    answer({ tag_name: await readProgramVersion(), html_url: URL_OF_RELEASE });
    await switchOn();
    expect(await releasesOf()).toEqual({ isChecked: true, isFixed: false, checkedAt: clock.now() });
  });

  it.each([
    ["an error", { status: 500 }],
    ["a page", { body: "<html>" }],
    ["a script as address", { body: JSON.stringify({ tag_name: "v99.0.0", html_url: "javascript:alert(1)" }) }],
    ["a name that is no version", { body: JSON.stringify({ tag_name: "latest", html_url: URL_OF_RELEASE }) }],
    ["a redirect to another address", { status: 302, headers: { location: "http://127.0.0.1:1/" } }],
  ])("a failed request is reported and not repeated that day: %s", async (_, refused) => {
    web.answers.set(PATH, refused);
    await switchOn();
    const failed = { isChecked: true, isFixed: false, checkedAt: clock.now(), hasFailed: true };
    expect(await releasesOf()).toEqual(failed);
    expect(await releasesOf()).toEqual(failed);
    expect(web.requests).toHaveLength(1);
    expect(app.logLines.join()).toContain("the address of releases could not be read");
  });

  it("the environment can decide, and owners cannot change it then", async () => {
    await app[Symbol.asyncDispose]();
    app = await start({ RELEASES_CHECK: "on" });
    expect(await releasesOf()).toMatchObject({ isChecked: true, isFixed: true, newer: { version: "99.0.0" } });
    await expect(switchOn()).rejects.toThrow(/400/);
  });

  it("the request goes through the proxy, which the overview shows without its password", async () => {
    const proxy = opened.use(await startForwardProxy());
    await app[Symbol.asyncDispose]();
    const { host } = new URL(proxy.url);
    const HTTP_PROXY = proxy.url.replace("//", "//ada:hidden@");
    const RELEASES_URL = web.url(PATH, "releases.test");
    app = await start({ HTTP_PROXY, NO_PROXY: "192.168.0.0/16", RELEASES_URL, RELEASES_CHECK: "on" });
    const { releases, answeringProcess } = await read();
    expect(releases?.newer?.version).toBe("99.0.0");
    expect(proxy.requests).toMatchObject([{ method: "GET", target: RELEASES_URL }]);
    expect(answeringProcess.proxy).toEqual({ http: host, direct: "192.168.0.0/16" });
  });
});

it.each([
  ["1.2.4", "1.2.3", true],
  ["1.3.0", "1.2.9", true],
  ["2.0.0", "1.99.99", true],
  ["1.10.0", "1.9.0", true],
  ["1.2.3", "1.2.3", false],
  ["1.2.2", "1.2.3", false],
  ["1.2.3", "1.2.3-rc.1", true],
  ["1.2.3-rc.2", "1.2.3", false],
  ["unknown", "1.2.3", false],
])("version %s compared with %s is newer: %s", (version, than, expected) => {
  expect(isNewer(version, than)).toBe(expected);
});
