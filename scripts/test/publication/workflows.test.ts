import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "../../child.mjs";
import {
  injectionProblems,
  type Job,
  missingCommands,
  parserProblems,
  permissionProblems,
  readWorkflows,
  stepsOf,
  unpinnedActions,
  workflowOf,
} from "./workflows.ts";

const workflows = readWorkflows();
const named = workflows.map((workflow) => [workflow.file, workflow] as const);
const ofFile = (file: string) => {
  const found = workflows.find((workflow) => workflow.file === file);
  if (found === undefined) throw new Error(`There is no workflow ${file}`);
  return found;
};

/** A workflow with one job, whose steps and head lines are given. */
const workflowWith = (steps: string, head = "permissions:\n  contents: read\n") =>
  workflowOf("other.yml", `on: { push: }\n${head}jobs:\n  one:\n    runs-on: ubuntu-24.04\n    steps:\n${steps}`);

test("the repository has workflows for checks, the proof and releases", () => {
  expect(workflows.map(({ file }) => file).sort()).toEqual(["check.yml", "proof.yml", "release.yml"]);
});

test.each(named)("the parser of GitHub Actions finds no problem in %s", async (_, workflow) => {
  expect(await parserProblems(workflow)).toEqual([]);
});

test("the parser of GitHub Actions reports a misspelt key, an unknown context, a bad cron and a missing job", async () => {
  const problems = async (text: string) => (await parserProblems(workflowOf("other.yml", text))).join();
  const job = "    runs-on: ubuntu-24.04\n    steps:\n";
  const push = "on: push\njobs:\n  one:\n";
  expect(await problems(`${push}${job}      - runs: ls\n`)).toContain("Unexpected value 'runs'");
  expect(await problems(`${push}${job}      - run: \${{ nothing.x }}\n`)).toContain(
    "Unrecognized named-value: 'nothing'",
  );
  const cron = push.replace("push", "{ schedule: [{ cron: 99 x }] }");
  expect(await problems(`${cron}${job}      - run: ls\n`)).toContain("Invalid cron expression");
  expect(await problems(`${push}    needs: two\n${job}      - run: ls\n`)).toContain(
    "at least one job with no dependencies",
  );
});

test.each(named)("each action of %s is pinned by its commit, with its version in a comment", (_, workflow) => {
  expect(unpinnedActions(workflow)).toEqual([]);
});

test.each(["actions/checkout@v7", "actions/checkout@3d3c42e # v7.0.1", `actions/checkout@${"0".repeat(40)}`])(
  "the action %s is reported as not pinned",
  (action) => {
    expect(unpinnedActions(workflowWith(`      - uses: ${action}\n`))).toEqual([`- uses: ${action}`]);
  },
);

test("one action has one commit in all workflows", () => {
  const pins = new Set(workflows.flatMap((workflow) => stepsOf(workflow).flatMap(({ uses }) => uses ?? [])));
  const actions = [...pins].map((pin) => pin.split("@")[0]);
  expect(new Set(actions).size).toBe(actions.length);
});

test.each(named)("%s grants its jobs nothing but reading, and leaves no token in the folder", (_, workflow) => {
  expect(permissionProblems(workflow)).toEqual([]);
});

test("a workflow without permissions, with all of them, or with a persisted token is reported", () => {
  const checkout = "      - uses: actions/checkout@v7\n";
  expect(permissionProblems(workflowWith("      - run: ls\n", ""))).toHaveLength(1);
  expect(permissionProblems(workflowWith("      - run: ls\n", "permissions: write-all\n"))).toHaveLength(2);
  expect(permissionProblems(workflowWith(checkout))).toEqual(["other.yml has a checkout that persists its token"]);
});

test("only two jobs of the release may write, each what it makes", () => {
  const writing = workflows.flatMap(({ file, jobs }) =>
    Object.entries(jobs).map(([name, { permissions = {} }]) => ({
      job: `${file} ${name}`,
      writes: Object.keys(permissions).filter((scope) => permissions[scope] === "write"),
    })),
  );
  expect(writing.filter(({ writes }) => writes.length > 0)).toEqual([
    { job: "release.yml image", writes: ["packages", "id-token", "attestations"] },
    { job: "release.yml publish", writes: ["contents"] },
  ]);
});

test.each(named)("%s puts no expression into a script, and gives no secret to foreign pull requests", (_, workflow) => {
  expect(injectionProblems(workflow)).toEqual([]);
});

test("an expression in a script, and the event pull_request_target, are reported", () => {
  const title = "$" + "{{ github.event.pull_request.title }}";
  expect(injectionProblems(workflowWith(`      - run: echo "${title}"\n`))).toHaveLength(1);
  expect(injectionProblems(workflowOf("other.yml", "on: { pull_request_target: }\njobs: {}\n"))).toHaveLength(1);
});

test.each(named)("every command and file that %s names exists", (_, workflow) => {
  expect(missingCommands(workflow)).toEqual([]);
});

test("a command, script or workflow that does not exist is reported", () => {
  const steps = "      - run: npm run chekc\n      - run: node scripts/release/go.ts --notes\n      - run: .ci/start\n";
  expect(missingCommands(workflowWith(steps))).toEqual(["npm run chekc", "scripts/release/go.ts", ".ci/start"]);
  const called = workflowOf("other.yml", "on: push\njobs:\n  one:\n    uses: ./.github/workflows/checks.yml\n");
  expect(missingCommands(called)).toEqual(["./.github/workflows/checks.yml"]);
});

test("every option of npm run release that a workflow uses is in its help", () => {
  const help = spawnSync(process.execPath, [join(root, "scripts/release/run.ts"), "--help"], {
    encoding: "utf8",
  }).stdout;
  const used = workflows.flatMap(({ text }) => [...text.matchAll(/(?:release --|release\/run\.ts) (--\w+)/g)]);
  const options = used.map((match) => match[1] ?? "");
  expect(options.sort()).toEqual(["--image", "--notes", "--tagged"]);
  for (const option of options) expect(help).toContain(`${option} `);
});

test("every job has a timeout, and every container and service image a version", () => {
  const jobs: [string, Job][] = workflows.flatMap(({ jobs }) => Object.entries(jobs));
  for (const [name, { uses, container, services = {}, ...job }] of jobs) {
    if (uses === undefined) expect(job["timeout-minutes"], name).toBeGreaterThan(0);
    const own = typeof container === "string" ? container : container?.image;
    for (const image of [...(own ? [own] : []), ...Object.values(services).map((service) => service.image)]) {
      expect(image).toMatch(/:(?!latest)\S*\d/);
    }
  }
});

test("containers of jobs have the Node version of .nvmrc, and the services those of compose.yaml", () => {
  const version = readFileSync(join(root, ".nvmrc"), "utf8").trim();
  const compose = readFileSync(join(root, "compose.yaml"), "utf8");
  const texts = workflows.map(({ text }) => text).join("\n");
  const images = [...texts.matchAll(/(?:image|container): (\w+:\S+)/g)].map((match) => match[1] ?? "");
  expect(new Set(images)).toEqual(new Set([`node:${version}-bookworm`, "postgres:17-bookworm", "redis:7.2-bookworm"]));
  for (const image of images) if (!image.startsWith("node:")) expect(compose).toContain(`image: ${image}\n`);
});

test("each push runs what .ci/run runs, and the commands of CONTRIBUTING.md with the services that they need", () => {
  const { on, jobs } = ofFile("check.yml");
  expect(on).toMatchObject({ push: { branches: ["**"] } });
  const commands = Object.values(jobs).map(({ steps = [] }) => steps.flatMap(({ run }) => run ?? []).join("\n"));
  expect(commands).toEqual([
    expect.stringContaining("npm run check"),
    expect.stringContaining(".ci/run"),
    expect.anything(),
  ]);
  for (const { steps, env = {}, services } of [jobs.all, ofFile("proof.yml").jobs.proof].flatMap((job) => job ?? [])) {
    expect(steps?.at(0)?.with?.["fetch-depth"]).toBe(0);
    expect(Object.keys(services ?? {})).toEqual(["postgres", "redis"]);
    const hosts = [env.TEST_DATABASE_URL, env.TEST_REDIS_URL].map((url) => new URL(url ?? "").hostname);
    expect(hosts).toEqual(["postgres", "redis"]);
  }
});

test("the proof runs by a schedule, and its record is stored even if it fails", () => {
  const { on, jobs } = ofFile("proof.yml");
  expect(on).toHaveProperty("schedule");
  const steps = jobs.proof?.steps ?? [];
  expect(steps.some(({ run }) => run === "npm run proof")).toBe(true);
  expect(steps.at(-1)).toMatchObject({ if: "always()", with: { path: "test-results/" } });
});

test("a tag becomes an image for two platforms with provenance and SBOM, after all tests", () => {
  const { on, jobs } = ofFile("release.yml");
  expect(on).toEqual({ push: { tags: ["v[0-9]+.[0-9]+.[0-9]+"] } });
  expect(jobs.check?.uses).toBe("./.github/workflows/check.yml");
  expect(jobs.image).toMatchObject({ needs: ["verify", "check"] });
  expect(jobs.publish).toMatchObject({ needs: "image" });
  const build = jobs.image?.steps?.find(({ uses }) => uses?.startsWith("docker/build-push-action@"));
  expect(build?.with).toMatchObject({
    platforms: "linux/amd64,linux/arm64",
    push: true,
    provenance: "mode=max",
    sbom: true,
  });
});

test("the parts of the Dockerfile that differ by platform come from a stage of that platform", () => {
  const dockerfile = readFileSync(join(root, "Dockerfile"), "utf8");
  const native = /^FROM --platform=\$BUILDPLATFORM \S+ AS (\w+)$/m.exec(dockerfile)?.[1];
  const copied = [...dockerfile.matchAll(/^COPY --from=(\w+) (\S+)/gm)].map(([, stage, path]) => ({ stage, path }));
  expect(native).toBe("build");
  expect(copied.filter(({ stage }) => stage === native).map(({ path }) => path)).toEqual(["/app/build"]);
});

test("files that the release page gets exist", () => {
  const script = ofFile("release.yml").jobs.publish?.steps?.at(-1)?.run ?? "";
  expect(script).toContain("deploy/compose.install.yaml deploy/kubernetes/*.yaml");
  for (const path of ["deploy/compose.install.yaml", "deploy/kubernetes"])
    expect(existsSync(join(root, path))).toBe(true);
});
