import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { parseConfig } from "../../../server/config/config.ts";
import { root } from "../../child.mjs";
import { composeProblems, expandVariables } from "./compose.ts";
import { readDockerfile } from "./dockerfile.ts";
import { exampleVariables } from "./example-variables.ts";

const text = readFileSync(join(root, "deploy", "compose.install.yaml"), "utf8");
const compose = parse(text);
const { parley, ...others } = compose.services;
const environment: Record<string, string> = parley.environment;
const image = readDockerfile();
const [head = ""] = text.split("services:");

test("the compose file for an installation without a clone matches the schema of the Compose specification", () => {
  expect(composeProblems(compose)).toEqual([]);
});

test("the installation needs no file but itself and .env: no build, no configs, one service", () => {
  expect(others).toEqual({});
  expect(parley.build).toBeUndefined();
  expect(Object.keys(compose)).toEqual(["services", "volumes"]);
  expect(parley.env_file).toBe(".env");
});

test("the installation does not start without the image and a secret, and its file contains none", () => {
  expect(() => expandVariables(parley.image, {})).toThrow("PARLEY_IMAGE is required");
  expect(() => expandVariables(environment.SECRET_KEY ?? "", {})).toThrow("SECRET_KEY is required");
  expect(text).not.toMatch(/(?:KEY|PASSWORD)=[^$\s"]/);
});

test("every variable of the installation is a setting of .env.example, or explained at the head of its file", () => {
  for (const name of Object.keys(environment)) expect(exampleVariables, name).toContain(name);
  const used = [...text.matchAll(/\$\{(\w+)/g)].map((match) => match[1] ?? "");
  expect(used).toContain("PARLEY_USER");
  for (const name of used) expect(exampleVariables.includes(name) || head.includes(name), name).toBe(true);
});

test("the server accepts the settings of the installation with a secret that its head generates", () => {
  expect(head).toContain('echo "SECRET_KEY=$(openssl rand -hex 32)" >> .env');
  const values = { SECRET_KEY: "0f3a9c17".repeat(8) };
  const given = Object.entries(environment).map(([name, value]) => [name, expandVariables(value, values)]);
  const { config } = parseConfig({ ...image.env, ...Object.fromEntries(given) });
  expect(config).toMatchObject({ host: "0.0.0.0", port: 3000, publicUrl: "http://localhost:3000" });
});

test("the container of the installation runs without rights that it does not need, as any user", () => {
  expect(parley).toMatchObject({
    read_only: true,
    cap_drop: ["ALL"],
    security_opt: ["no-new-privileges:true"],
    init: true,
  });
  expect(expandVariables(parley.user, {})).toBe(
    image.last.instructions.find((one) => one.getKeyword() === "USER")?.getArgumentsContent(),
  );
  expect(expandVariables(parley.user, { PARLEY_USER: "1000:1000" })).toBe("1000:1000");
  expect(parley.ports).toEqual([expect.stringMatching(/^127\.0\.0\.1:.*:3000$/)]);
});

test("the data of the installation are in a volume, or in a folder of the operator", () => {
  const volume = (values: Record<string, string>) => expandVariables(parley.volumes[0], values);
  expect([volume({}), volume({ PARLEY_DATA: "./data" })]).toEqual(["data:/data", "./data:/data"]);
  expect([Object.keys(compose.volumes), image.env.DATA_DIR]).toEqual([["data"], "/data"]);
});

test("the installation leaves time for a shutdown, and its image has a health check for up --wait", () => {
  const { shutdownGraceMs } = parseConfig({}).config;
  expect(Number.parseInt(parley.stop_grace_period, 10) * 1000).toBeGreaterThanOrEqual(2 * shutdownGraceMs);
  expect(image.healthCheck.length).toBeGreaterThan(0);
});

test("the head of the installation and the manifests name the image of this version", () => {
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  expect(head).toContain(`PARLEY_IMAGE=registry.example.org/parley/parley:${version.replace(/\.\d+$/, "")}"`);
});
