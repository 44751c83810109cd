import { chmod, chown, writeFile } from "node:fs/promises";
import { request, type ServerResponse } from "node:http";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { OwnerOfConnections } from "../../../testing/accounts/connections.ts";
import { signUpAs } from "../../../testing/accounts/roles.ts";
import {
  createTestHarness,
  startTestApp,
  type TestApp,
  type TestHarness,
} from "../../../testing/app/start-test-app.ts";
import { startWebServer, type WebRequest } from "../../../testing/browsing/web-server.ts";
import { admin } from "../../../testing/cli/run-admin.ts";
import { isOnPostgres } from "../../../testing/database/test-database.ts";
import { S3Harness } from "../../../testing/files/s3-harness.ts";
import { unusedAddress } from "../../../testing/provider/model-calls.ts";
import { startForwardProxy } from "../../../testing/servers/forward-proxy.ts";
import { MailServer } from "../../../testing/servers/mail-server.ts";
import { mountSmallDisk } from "../../../testing/servers/small-disk.ts";
import { type Finding, ok, runCheck } from "./finding.ts";

// Detects hanging only: the spawned processes share two cores with all other tests.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

const SECRET_KEY = "one-secret-of-the-installation-0123456789";

let opened: AsyncDisposableStack;
let harness: TestHarness;
beforeEach(async () => {
  opened = new AsyncDisposableStack();
  harness = opened.use(await createTestHarness(undefined, { isMigrated: true }));
});
afterEach(() => opened.disposeAsync());

/** Runs the command without a server, unless the variables name one. @returns the finding of a check */
async function find(check: string, env: Record<string, string> = {}): Promise<Finding & { code: number | null }> {
  const { code, json } = await admin(harness, ["doctor", "--json"], { env: { SECRET_KEY, PORT: "1", ...env } });
  const found = (json.checks as Finding[]).find((finding) => finding.check === check);
  if (!found) throw new Error(`There is no check ${check}`);
  expect(code).toBe((json.checks as Finding[]).some(({ state }) => state === "failure") ? 1 : 0);
  return { ...found, code };
}

const failureWith = (found: RegExp, advice: RegExp) => ({
  ...{ state: "failure", code: 1, found: expect.stringMatching(found), advice: expect.stringMatching(advice) },
});

describe("this machine", () => {
  it("doctor names each setting that is not valid", async () => {
    expect(await find("settings", { PORT: "x" })).toMatchObject(failureWith(/^PORT must be/, /\.env\.example/));
  });

  it("doctor names a data folder that cannot be used, with what mends it", async () => {
    const DATA_DIR = join(harness.dataDir, "file");
    await writeFile(DATA_DIR, "");
    expect(await find("data folder", { DATA_DIR })).toMatchObject(failureWith(/is a file/, /set DATA_DIR/));
  });

  it.runIf(process.getuid?.() === 0)(
    "doctor warns if it runs as another user than the owner of the folder",
    async () => {
      await chown(harness.dataDir, 65_534, 65_534);
      const found = await find("data folder");
      expect(found).toMatchObject({ state: "warning", advice: expect.stringContaining("as user 65534") });
    },
  );

  it.runIf(process.getuid?.() === 0)(
    "doctor accepts a folder of another user in which the files of the server are its own",
    async () => {
      await writeFile(join(harness.dataDir, "lock"), "");
      await chmod(harness.dataDir, 0o700);
      await chown(harness.dataDir, 65_534, 65_534);
      expect(await find("data folder")).toMatchObject({ state: "ok" });
    },
  );

  it("doctor prints its findings beside a password with a sign that is not escaped", async () => {
    expect(await find("data folder", { SMTP_URL: "smtp://ada:100%@127.0.0.1:1" })).toMatchObject({ state: "ok" });
  });

  it("doctor names a disk with less free space than the server needs for uploads", async ({ skip }) => {
    await using disk = await mountSmallDisk(20);
    if (!disk) return skip();
    const env = { DATA_DIR: disk.folder };
    expect(await find("disk", env)).toMatchObject(failureWith(/less than MIN_FREE_DISK_MB \(256 MB\)/, /Free some/));
    await disk.fill();
    expect(await find("disk", env)).toMatchObject(failureWith(/nothing can be stored/, /Free some/));
  });

  it("doctor names a clock that differs from that of the public address", async () => {
    const web = opened.use(await startWebServer());
    const date = new Date(Date.now() + 600_000).toUTCString();
    web.answers.set("/healthz", { headers: { date }, body: "{}" });
    const PUBLIC_URL = `http://127.0.0.1:${web.port}`;
    expect(await find("clock", { PUBLIC_URL })).toMatchObject(failureWith(/\d+ s behind the public address/, /NTP/));
  });

  it.skipIf(isOnPostgres)("doctor names a database that is damaged", async () => {
    await writeFile(join(harness.dataDir, "parley.db"), "no database".repeat(1000));
    expect(await find("database", {})).toMatchObject(failureWith(/cannot be read/, /restore a backup/));
  });
});

describe("services", () => {
  const away = async () => (await unusedAddress()).replace(/^http:\/\/|\/v1$/g, "");

  it("doctor names a Redis that is away", async () => {
    const env = { REDIS_URL: `redis://:hidden@${await away()}`, DATABASE_URL: "postgres://127.0.0.1:1/none" };
    expect(await find("redis", env)).toMatchObject(failureWith(/nothing listens there/, /REDIS_URL/));
  });

  it("doctor names a proxy that is away, and one that refuses the password", async () => {
    const none = { HTTP_PROXY: `http://${await away()}` };
    expect(await find("proxy", none)).toMatchObject(failureWith(/nothing listens there/, /HTTP_PROXY/));
    const proxy = opened.use(await startForwardProxy());
    proxy.refusal = 407;
    const refused = { HTTPS_PROXY: proxy.url.replace("//", "//ada:hidden@") };
    expect(await find("proxy", refused)).toMatchObject(failureWith(/another user and password/, /HTTPS_PROXY/));
  });

  it("doctor names a mail server that is away, and one that refuses the sign-in; it sends no mail", async () => {
    const none = { SMTP_URL: `smtp://${await away()}` };
    expect(await find("mail", none)).toMatchObject(failureWith(/nothing listens there/, /SMTP_URL/));
    const mail = opened.use(new MailServer());
    await mail.start();
    const refused = { SMTP_URL: mail.url.replace("//", "//ada:hidden@") };
    expect(await find("mail", refused)).toMatchObject(failureWith(/refuses the sign-in/, /SMTP_URL/));
    expect(await find("mail", { SMTP_URL: mail.url })).toMatchObject({ state: "ok" });
    expect(mail.mails).toEqual([]);
  });

  it("doctor names a bucket that refuses the keys", async () => {
    const files = opened.use(new S3Harness());
    await files.open();
    const env = { ...files.server.envFor(), FILES_SECRET_ACCESS_KEY: "another-hidden-key" };
    expect(await find("attached files", env)).toMatchObject(failureWith(/refuses FILES_ACCESS_KEY_ID/, /FILES_URL/));
  });

  it("doctor names a connection that refuses its key, and one that is away", async () => {
    const web = opened.use(await startWebServer());
    web.answers.set("/v1/models", { status: 401, body: "{}", headers: { "content-type": "application/json" } });
    const env = { OPENAI_API_KEY: "sk-hidden", OPENAI_BASE_URL: `http://127.0.0.1:${web.port}/v1` };
    expect(await find("connection OpenAI", env)).toMatchObject(failureWith(/refuses the key/, /another key/));
    const none = { LOCAL_BASE_URL: await unusedAddress() };
    expect(await find("connection Local", none)).toMatchObject(failureWith(/nothing listens there/, /Start it/));
  });

  it("doctor names a connection whose key the secret does not open", async () => {
    {
      await using app = await startTestApp({ harness, env: { SECRET_KEY } });
      const owner = new OwnerOfConnections(app, await signUpAs(app, "owner"));
      const baseUrl = await unusedAddress();
      await owner.create({ kind: "openai", name: "At home", baseUrl, apiKey: "sk-hidden-stored" });
    }
    const other = { SECRET_KEY: "other-secret-of-the-installation-0123456789" };
    const expected = failureWith(/secret key does not open/, /SECRET_KEY_PREVIOUS/);
    expect(await find("connection At home", other)).toMatchObject(expected);
  });

  it("doctor names a search engine that is none", async () => {
    const web = opened.use(await startWebServer());
    const env = { SEARCH_URL: `http://127.0.0.1:${web.port}` };
    expect(await find("web search", env)).toMatchObject(failureWith(/not such a search engine/, /address/));
  });

  it("a check that does not end is a failure after its time limit", async () => {
    const check = () => new Promise<Finding>(() => undefined);
    const found = await runCheck("mail", 20, check);
    expect(found).toMatchObject([
      { check: "mail", state: "failure", found: "There was no answer within 0.02 seconds." },
    ]);
    expect(await runCheck("mail", 60_000, async () => ok("mail", "Fine."))).toMatchObject([{ state: "ok" }]);
  });

  it("a check that ends with an unexpected error is a failure", async () => {
    const check = () => Promise.reject(new Error("unexpected"));
    expect(await runCheck("mail", 60_000, check)).toMatchObject([
      { state: "failure", found: expect.stringContaining("unexpected") },
    ]);
  });
});

describe("the public address", () => {
  let app: TestApp;
  const start = async (env: Record<string, string> = {}) => {
    app = opened.use(await startTestApp({ harness, env: { SECRET_KEY, ...env } }));
  };
  /** Runs the command beside the server. */
  const findAt = (PUBLIC_URL: string) => find("public address", { PUBLIC_URL, PORT: new URL(app.url).port });

  it("doctor names an address at which something else answers, and one that does not answer", async () => {
    await start();
    const web = opened.use(await startWebServer());
    const found = await findAt(`http://127.0.0.1:${web.port}`);
    expect(found).toMatchObject(failureWith(/Something else than Parley .*404/, /PUBLIC_URL/));
    const none = (await unusedAddress()).replace("/v1", "");
    expect(await findAt(none)).toMatchObject(failureWith(/nothing listens there/, /PUBLIC_URL/));
  });

  it("doctor names an address at which another Parley answers", async () => {
    await start();
    await using other = await startTestApp();
    expect(await findAt(other.url)).toMatchObject(failureWith(/Another Parley answers/, /SECRET_KEY/));
  });

  it("doctor names a server that trusts the addresses which any client sends", async () => {
    await start({ TRUST_PROXY: "true" });
    expect(await findAt(app.url)).toMatchObject(failureWith(/believes the client address/, /Unset TRUST_PROXY/));
  });

  it("doctor names a proxy that TRUST_PROXY does not, and accepts one that is trusted", async () => {
    await start();
    const front = await startFront((forwarded) => `${forwarded}, 198.51.100.7`);
    expect(await findAt(front)).toMatchObject(
      failureWith(/proxy at 127\.0\.0\.1 is not trusted/, /TRUST_PROXY=127\.0\.0\.1/),
    );
    await app[Symbol.asyncDispose]();
    await start({ TRUST_PROXY: "127.0.0.1" });
    expect(await findAt(await startFront((forwarded) => `${forwarded}, 198.51.100.7`))).toMatchObject({ state: "ok" });
  });

  it("doctor does not judge a proxy by a request from the machine of the proxy", async () => {
    for (const TRUST_PROXY of ["false", "127.0.0.1"]) {
      await start({ TRUST_PROXY });
      const front = await startFront((forwarded) => `${forwarded}, 127.0.0.1`);
      expect(await findAt(front)).toMatchObject({
        state: "warning",
        found: expect.stringMatching(/^This request came from the machine/),
      });
      await app[Symbol.asyncDispose]();
    }
  });

  it("doctor names a proxy that does not report the addresses of clients", async () => {
    await start();
    const expected = failureWith(/does not report the addresses/, /X-Forwarded-For/);
    expect(await findAt(await startFront(() => undefined))).toMatchObject(expected);
  });

  /** Starts a proxy in front of the server. @param forward returns the header that it sends, from the one it received */
  async function startFront(forward: (forwarded: string) => string | undefined): Promise<string> {
    const web = opened.use(await startWebServer());
    web.answers.set("/healthz", (response: ServerResponse, { headers }: WebRequest) => {
      const { "x-forwarded-for": received, ...others } = headers;
      const forwarded = forward(String(received));
      const sent = { ...others, ...(forwarded !== undefined && { "x-forwarded-for": forwarded }) };
      request(`${app.url}/healthz`, { headers: sent }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      }).end();
    });
    return `http://127.0.0.1:${web.port}`;
  }
});
