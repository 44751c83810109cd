import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { ConfigError, parseConfig, variableNames } from "../../../server/config/config.ts";
import { root } from "../../child.mjs";
import { violations } from "../publication/schemas.ts";
import { readDockerfile } from "./dockerfile.ts";
import { exampleVariables } from "./example-variables.ts";
import { kubernetesSchemas } from "./kubernetes-schemas.ts";

// The tests read the objects freely; their schemas are checked first.
// biome-ignore lint/suspicious/noExplicitAny: objects of several kinds
type Manifest = any;

const folder = join(root, "deploy", "kubernetes");
const manifests: [title: string, manifest: Manifest][] = readdirSync(folder).flatMap((file) =>
  parseAllDocuments(readFileSync(join(folder, file), "utf8")).map((document): [string, Manifest] => {
    const manifest = document.toJS();
    return [`${manifest.kind} of ${file}`, manifest];
  }),
);
const ofKind = (kind: string): Manifest => {
  const found = manifests.find(([, manifest]) => manifest.kind === kind);
  if (found === undefined) throw new Error(`There is no ${kind}`);
  return found[1];
};
const image = readDockerfile();
const pod = ofKind("StatefulSet").spec.template.spec;
const [container] = pod.containers;
const settings: Record<string, string> = ofKind("ConfigMap").data;
const secrets: Record<string, string> = ofKind("Secret").stringData;

test.each(manifests)("the %s matches the schema of its kind", (_, manifest) => {
  expect(violations(kubernetesSchemas[manifest.kind] ?? false, manifest)).toEqual([]);
});

test("the schemas refuse a misspelt field and a value of another type", () => {
  const check = (change: (copy: Manifest) => void) => {
    const copy = structuredClone(ofKind("StatefulSet"));
    change(copy);
    return violations(kubernetesSchemas.StatefulSet ?? false, copy).join("\n");
  };
  const spec = (copy: Manifest) => copy.spec.template.spec;
  expect(check((copy) => Object.assign(spec(copy), { terminationGracePeriod: 40 }))).toContain(
    "terminationGracePeriod",
  );
  expect(check((copy) => Object.assign(spec(copy).containers[0].livenessProbe.httpGet, { path: "healthz" }))).toContain(
    "pattern",
  );
  expect(check((copy) => Object.assign(copy.spec, { replicas: "1" }))).toContain("/spec/replicas");
});

test("objects find each other by their names, labels and ports", () => {
  const { spec } = ofKind("StatefulSet");
  const service = ofKind("Service");
  const labels = spec.template.metadata.labels;
  expect([spec.selector.matchLabels, service.spec.selector]).toEqual([labels, labels]);
  expect(spec.serviceName).toBe(service.metadata.name);
  expect(service.spec.ports[0].targetPort).toBe(container.ports[0].name);
  const { rules, tls } = ofKind("Ingress").spec;
  expect(rules[0].http.paths[0].backend.service).toEqual({
    name: service.metadata.name,
    port: { name: service.spec.ports[0].name },
  });
  expect([...tls[0].hosts, rules[0].host]).toEqual(Array(2).fill(new URL(settings.PUBLIC_URL ?? "").hostname));
  expect(container.envFrom).toEqual([
    { configMapRef: { name: ofKind("ConfigMap").metadata.name } },
    { secretRef: { name: ofKind("Secret").metadata.name } },
  ]);
});

test("every variable of the manifests is a setting of .env.example", () => {
  const commented = [...readFileSync(join(folder, "secret.example.yaml"), "utf8").matchAll(/^ {2}# ([A-Z_]+): /gm)];
  const names = [...Object.keys(settings), ...Object.keys(secrets), ...commented.map((match) => match[1] ?? "")];
  expect(names).toContain("DATABASE_URL");
  for (const name of names) expect(exampleVariables, name).toContain(name);
  expect(variableNames).toEqual(expect.arrayContaining(names));
});

test("the server accepts the settings, but not the secret of the example", () => {
  const given = { ...image.env, ...settings, ...secrets };
  const { config } = parseConfig({ ...given, SECRET_KEY: "kDq0mB1xE7pQ4vY9sT2wR6uZ3nL8aC5f" });
  expect(config).toMatchObject({ publicUrl: settings.PUBLIC_URL, trustProxy: true });
  expect(() => parseConfig(given)).toThrow(ConfigError);
});

test("the pod runs as a user that is not root, without rights, on a read-only file system", () => {
  expect(pod).toMatchObject({
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    securityContext: { runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } },
  });
  const { runAsUser, runAsGroup, fsGroup } = pod.securityContext;
  expect(Math.min(runAsUser, runAsGroup, fsGroup)).toBeGreaterThan(0);
  expect(fsGroup).toBe(runAsGroup);
  expect(container.securityContext).toEqual({
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ["ALL"] },
  });
});

test("data folder, port and volumes of the pod are those of the image", () => {
  expect(container.ports[0].containerPort).toBe(Number(image.env.PORT));
  const mounted: { name: string; mountPath: string }[] = container.volumeMounts;
  expect(mounted.map(({ mountPath }) => mountPath)).toEqual([image.env.DATA_DIR, "/tmp"]);
  const volumes = [
    ...ofKind("StatefulSet").spec.volumeClaimTemplates.map((one: Manifest) => one.metadata),
    ...pod.volumes,
  ];
  expect(mounted.map(({ name }) => name)).toEqual(volumes.map(({ name }) => name));
});

test("the probes call routes that exist", () => {
  const routes = readFileSync(join(root, "server", "http", "health.ts"), "utf8");
  const paths = ["startupProbe", "livenessProbe", "readinessProbe"].map((name) => container[name].httpGet.path);
  expect(paths).toEqual(["/healthz", "/healthz", "/readyz"]);
  for (const path of paths) expect(routes).toContain(`app.get("${path}"`);
});

test("a pod that ends has time for its pause, the running replies and the rest of the shutdown", () => {
  const [command, pauseSeconds] = container.lifecycle.preStop.exec.command;
  const { shutdownGraceMs } = parseConfig({}).config;
  expect(command).toBe("sleep");
  expect(pod.terminationGracePeriodSeconds - Number(pauseSeconds)).toBeGreaterThanOrEqual((2 * shutdownGraceMs) / 1000);
});

test("the image has the minor version of package.json", () => {
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  expect(container.image.endsWith(`:${version.replace(/\.\d+$/, "")}`)).toBe(true);
});
