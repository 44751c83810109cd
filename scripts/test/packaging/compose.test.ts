import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { parseConfig, variableNames } from "../../../server/config/config.ts";
import { root } from "../../child.mjs";
import { composeProblems, expandVariables } from "./compose.ts";
import { readDockerfile, wordsAfter } from "./dockerfile.ts";

type Service = {
  image?: string;
  build?: string;
  user?: string;
  init?: boolean;
  read_only?: boolean;
  cap_drop?: string[];
  security_opt?: string[];
  privileged?: boolean;
  ports?: string[];
  networks: string[];
  volumes?: string[];
  tmpfs?: string[];
  env_file?: string;
  environment?: Record<string, string>;
  profiles?: string[];
  configs?: { source: string; target: string }[];
  entrypoint?: string[];
  depends_on?: Record<string, { condition: string }>;
  healthcheck?: { test: string[] };
  stop_grace_period?: string;
};
type Compose = {
  services: Record<string, Service>;
  networks: Record<string, unknown>;
  volumes: Record<string, unknown>;
  configs: Record<string, { file: string }>;
};

const text = readFileSync(join(root, "compose.yaml"), "utf8");
const compose: Compose = parse(text, { merge: true });
const services = Object.entries(compose.services);
const image = readDockerfile();
const secrets = ["SECRET_KEY", "POSTGRES_PASSWORD", "REDIS_PASSWORD"];

function serviceNamed(name: string): Service {
  const service = compose.services[name];
  if (!service) throw new Error(`compose.yaml has no service ${name}`);
  return service;
}
const parley = serviceNamed("parley");
const environmentOf = ({ environment = {} }: Service) => environment;

const settingsWith = (values: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(environmentOf(parley)).map(([name, value]) => [name, expandVariables(value, values)]),
  );

test("compose.yaml matches the schema of the Compose specification", () => {
  expect(composeProblems(compose)).toEqual([]);
});

test("every setting can be passed to Parley; its host, port and data folder are fixed", () => {
  expect(parley.env_file).toBe(".env");
  for (const name of Object.keys(environmentOf(parley))) expect(variableNames).toContain(name);
  const { NODE_ENV: _, container: __, ...fixed } = image.env;
  expect(parley.environment).toMatchObject(fixed);
});

test("Parley runs as the user of its image, or as the owner of a mounted folder", () => {
  expect(expandVariables(parley.user ?? "", {})).toBe(wordsAfter(image.last, "USER"));
  expect(expandVariables(parley.user ?? "", { PARLEY_USER: "1000:1000" })).toBe("1000:1000");
});

test("Compose does not start without secrets, and the file contains none", () => {
  for (const name of secrets) {
    const uses = text.match(new RegExp(`\\$\\{${name}[^}]*\\}`, "g")) ?? [];
    expect(uses.length, name).toBeGreaterThan(0);
    for (const use of uses) expect(use).toMatch(/^\$\{\w+:\?.+\}$/);
  }
  expect(() => settingsWith({})).toThrow("is required");
});

test("with generated secrets, Parley accepts its settings and connects to the services of the file", () => {
  const values = Object.fromEntries(secrets.map((name, at) => [name, `${at}f3a9c`.repeat(10)]));
  expect(/for name in ([A-Z_ ]+);/.exec(text)?.[1]?.split(" ")).toEqual(secrets);
  const parsed = parseConfig({ ...image.env, ...settingsWith(values) });
  expect(parsed.config).toMatchObject({ host: "0.0.0.0", port: 3000, publicUrl: "http://localhost:3000" });
  const { databaseUrl = "", redisUrl = "", smtpUrl = "", secretKey } = parsed.secrets;
  const hosts = [databaseUrl, redisUrl, smtpUrl].map((url) => new URL(url).hostname);
  expect(hosts).toEqual(["postgres", "redis", "mail"]);
  for (const host of hosts) {
    expect(serviceNamed(host).networks.some((network) => parley.networks.includes(network))).toBe(true);
  }
  expect(secretKey).toBe(values.SECRET_KEY);
  const { POSTGRES_USER, POSTGRES_DB, POSTGRES_PASSWORD = "" } = environmentOf(serviceNamed("postgres"));
  const database = new URL(databaseUrl);
  expect([database.username, database.pathname]).toEqual([POSTGRES_USER, `/${POSTGRES_DB}`]);
  expect(database.password).toBe(expandVariables(POSTGRES_PASSWORD, values));
});

test.each(services)("the container of %s runs without rights that it does not need", (_, service) => {
  expect(service).toMatchObject({ read_only: true, cap_drop: ["ALL"], security_opt: ["no-new-privileges:true"] });
  expect(service.privileged).toBeUndefined();
  expect(service.user ?? "").not.toMatch(/^(?:root|0)\b/);
  expect(service.user).toBeDefined();
  for (const port of service.ports ?? []) expect(port).toMatch(/^127\.0\.0\.1:/);
  for (const volume of service.volumes ?? []) expect(Object.keys(compose.volumes)).toContain(volume.split(":")[0]);
  for (const network of service.networks) expect(Object.keys(compose.networks)).toContain(network);
});

test.each(services)("the image of %s has a version", (name, { image: tag = "" }) => {
  expect(name === "parley" || /:(?!latest)\S*\d/.test(tag)).toBe(true);
});

test("Parley waits for services that have a health check", () => {
  expect(Object.keys(parley.depends_on ?? {})).toEqual(["postgres", "redis"]);
  for (const [name, { condition }] of Object.entries(parley.depends_on ?? {})) {
    expect(condition).toBe("service_healthy");
    expect(serviceNamed(name).healthcheck?.test.length).toBeGreaterThan(1);
  }
});

test("port, data folder and stop timeout fit Parley", () => {
  expect(parley.ports?.map((port) => port.split(":").at(-1))).toEqual([image.env.PORT]);
  expect(parley.volumes?.map((volume) => volume.split(":").at(-1))).toEqual([image.env.DATA_DIR]);
  const { shutdownGraceMs } = parseConfig({}).config;
  expect(Number.parseInt(parley.stop_grace_period ?? "", 10) * 1000).toBeGreaterThanOrEqual(2 * shutdownGraceMs);
  expect(parley.init).toBe(true);
});

test("the search engine is started by its profile only, and reached by Parley alone", () => {
  const profiles = services.flatMap(([name, service]) => (service.profiles ?? []).map((profile) => [profile, name]));
  expect(profiles).toEqual([["search", "searxng"]]);
  const { ports, networks } = serviceNamed("searxng");
  const reachedBy = services.filter(([, service]) => service.networks.some((network) => networks.includes(network)));
  expect([ports, reachedBy.map(([name]) => name)]).toEqual([undefined, ["parley", "searxng"]]);
});

test("SearXNG answers Parley's queries in JSON without a limit, and has no secret of Parley", () => {
  const { configs = [], environment, entrypoint = [] } = serviceNamed("searxng");
  expect(configs.map(({ target }) => target)).toEqual(["/etc/searxng/settings.yml"]);
  const file = compose.configs[configs[0]?.source ?? ""]?.file ?? "";
  const settings: unknown = parse(readFileSync(join(root, file), "utf8"));
  expect(settings).toMatchObject({
    use_default_settings: true,
    search: { formats: expect.arrayContaining(["json"]) },
    server: { limiter: false },
  });
  expect(environment).toBeUndefined();
  expect(entrypoint.join()).toMatch(/SEARXNG_SECRET="\$\$\(head -c 32 \/dev\/urandom/);
});

test("the documentation and the page of the search engine name its command and its address", () => {
  const command = "docker compose --profile search up --detach";
  const page = readFileSync(join(root, "web/administration/web-search/searxng-steps.tsx"), "utf8");
  for (const words of [readFileSync(join(root, "docs/tools.md"), "utf8"), page]) {
    expect(words).toContain(command);
    expect(words).toContain("http://searxng:8080");
  }
});
