import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { admin } from "../../testing/cli/run-admin.ts";
import { startJoinedSignInServer } from "../../testing/mcp/sign-in-server.ts";
import { databaseRows } from "../clients/database-dump.ts";
import type { Trial } from "../report.ts";
import { answeringRoutes, describedRoutes } from "../routes/api-routes.ts";
import { PersonAtServer, type SignInTarget } from "./sign-in-target.ts";

/** N4: tokens, codes, verifiers and states in all that a process answers, logs and stores. */
export async function tryTokenTraces(target: SignInTarget): Promise<void> {
  const { harness, tools } = target;
  const what =
    "tokens, codes, verifiers, states and secrets of clients in answers, exports, logs, rows, files and backups";
  await harness.report.try("N4", what, async (trial) => {
    await using opened = new AsyncDisposableStack();
    const { authorisation, url } = opened.use(await startJoinedSignInServer());
    authorisation.replacedMetadata = { token_endpoint_auth_methods_supported: ["client_secret_basic"] };
    const { slug } = (await tools.add({ name: "Traces", url })).server;
    const owner = await PersonAtServer.of(tools, slug, tools.owner);
    const answer = await authorisation.visit(await owner.address());
    const finished = await owner.finish(answer);
    trial.expect(finished.status === 200, () => `the sign-in answered ${finished.status}`);
    const open = new URL(await owner.address()).searchParams.get("state") ?? "";
    const verifiers = authorisation.seen("/token").map((fields) => fields.code_verifier ?? "");
    const secrets = [...authorisation.secrets, answer.state, answer.code ?? "", open, ...verifiers];
    trial.expect(secrets.length >= 7 && !secrets.includes(""), () => `there are only ${secrets.length} secrets`);
    const check = (where: string, bytes: Buffer | string) => {
      const found = secrets.filter((secret) => bytes.includes(secret));
      trial.expect(found.length === 0, () => `${where} has ${found.length} of ${secrets.length} secrets`);
    };
    await checkAnswers(target, trial, check);
    check("the log", await tools.site.logs());
    check("the database", JSON.stringify(await databaseRows(tools.site)));
    for (const file of await readdir(tools.site.dataDir, { recursive: true })) {
      check(file, await readFile(join(tools.site.dataDir, file)).catch(() => ""));
    }
    const folder = await mkdtemp(join(tmpdir(), "parley-backup-"));
    opened.defer(() => rm(folder, { recursive: true, force: true }));
    const file = join(folder, "backup");
    const { code, err } = await admin(tools.site, ["backup", file]);
    trial.expect(code === 0, () => `the backup ended with ${code}: ${err}`);
    const bytes = await readFile(file);
    check("a backup", bytes);
    check("the content of a backup", gunzipSync(bytes));
    await owner.signOut();
  });
}

type Check = (where: string, bytes: Buffer | string) => void;

/** Checks the answers to all requests that only read, among them the exports of the account. */
async function checkAnswers({ tools }: SignInTarget, trial: Trial, check: Check): Promise<void> {
  const { owner, site } = tools;
  const routes = answeringRoutes(await describedRoutes(site));
  const reading = routes.filter(({ method, path }) => method === "GET" && !path.includes("{"));
  let exports = 0;
  for (const { path } of reading) {
    const { status, bytes } = await site.send({ path, token: owner.token });
    if (path.endsWith("/export") && status === 200) exports++;
    check(path, bytes);
  }
  trial.expect(exports > 0, "the account was not exported");
}
