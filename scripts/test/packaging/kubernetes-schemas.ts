import type { Schema } from "ajv";

/**
 * Schemas of the Kubernetes objects in deploy/kubernetes, in the subset that they use. They refuse every other field.
 * The package with the whole schemas brings 27 packages and 25 MB.
 */
const exactly = (properties: Record<string, Schema>, required: string[] = []) => ({
  type: "object",
  properties,
  required,
  additionalProperties: false,
});
const list = (items: Schema) => ({ type: "array", items, minItems: 1 });

const text = { type: "string", minLength: 1 };
const count = { type: "integer", minimum: 1 };
const texts = { type: "object", additionalProperties: { type: "string" } };
/** A DNS label (RFC 1123). */
const name = { type: "string", pattern: "^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$" };
/** A name of an object or key, which may have dots. */
const dotted = { type: "string", pattern: "^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$" };
const quantity = { type: "string", pattern: "^\\d+(m|[KMGT]i)?$" };
const variables = {
  type: "object",
  propertyNames: { pattern: "^[A-Za-z_][A-Za-z0-9_]*$" },
  additionalProperties: { type: "string" },
};

const kind = (apiVersion: string, of: string, fields: Record<string, Schema>) =>
  exactly(
    {
      apiVersion: { const: apiVersion },
      kind: { const: of },
      metadata: exactly({ name: dotted, labels: texts, annotations: texts }, ["name"]),
      ...fields,
    },
    ["apiVersion", "kind", "metadata", ...Object.keys(fields)],
  );

const probe = exactly(
  {
    httpGet: exactly({ path: { type: "string", pattern: "^/" }, port: name }, ["path", "port"]),
    periodSeconds: count,
    timeoutSeconds: count,
    failureThreshold: count,
  },
  ["httpGet"],
);
const reference = exactly({ name: dotted }, ["name"]);
const quantities = exactly({ cpu: quantity, memory: quantity });

const container = exactly(
  {
    name,
    image: text,
    ports: list(exactly({ name, containerPort: count }, ["containerPort"])),
    envFrom: list({
      oneOf: [exactly({ configMapRef: reference }, ["configMapRef"]), exactly({ secretRef: reference }, ["secretRef"])],
    }),
    securityContext: exactly({
      allowPrivilegeEscalation: { type: "boolean" },
      readOnlyRootFilesystem: { type: "boolean" },
      capabilities: exactly({ drop: list(text) }),
    }),
    startupProbe: probe,
    livenessProbe: probe,
    readinessProbe: probe,
    lifecycle: exactly({ preStop: exactly({ exec: exactly({ command: list(text) }, ["command"]) }, ["exec"]) }),
    resources: exactly({ requests: quantities, limits: quantities }),
    volumeMounts: list(exactly({ name, mountPath: { type: "string", pattern: "^/" } }, ["name", "mountPath"])),
  },
  ["name", "image"],
);

const pod = exactly(
  {
    terminationGracePeriodSeconds: count,
    automountServiceAccountToken: { type: "boolean" },
    enableServiceLinks: { type: "boolean" },
    securityContext: exactly({
      runAsUser: count,
      runAsGroup: count,
      fsGroup: count,
      fsGroupChangePolicy: { enum: ["OnRootMismatch", "Always"] },
      runAsNonRoot: { type: "boolean" },
      seccompProfile: exactly({ type: { enum: ["RuntimeDefault"] } }, ["type"]),
    }),
    containers: list(container),
    volumes: list(exactly({ name, emptyDir: exactly({}) }, ["name", "emptyDir"])),
  },
  ["containers"],
);

const claim = exactly(
  {
    metadata: exactly({ name }, ["name"]),
    spec: exactly(
      {
        accessModes: list({ enum: ["ReadWriteOnce", "ReadWriteOncePod", "ReadWriteMany"] }),
        storageClassName: dotted,
        resources: exactly({ requests: exactly({ storage: quantity }, ["storage"]) }, ["requests"]),
      },
      ["accessModes", "resources"],
    ),
  },
  ["metadata", "spec"],
);

const statefulSet = exactly(
  {
    replicas: count,
    serviceName: name,
    selector: exactly({ matchLabels: texts }, ["matchLabels"]),
    template: exactly({ metadata: exactly({ labels: texts }, ["labels"]), spec: pod }, ["metadata", "spec"]),
    volumeClaimTemplates: list(claim),
  },
  ["serviceName", "selector", "template"],
);

const service = exactly({ selector: texts, ports: list(exactly({ name, port: count, targetPort: name }, ["port"])) }, [
  "selector",
  "ports",
]);

const backend = exactly({ service: exactly({ name, port: exactly({ name }, ["name"]) }, ["name", "port"]) }, [
  "service",
]);
const path = exactly({ path: text, pathType: { enum: ["Prefix", "Exact"] }, backend }, ["path", "pathType", "backend"]);
const ingress = exactly(
  {
    ingressClassName: dotted,
    tls: list(exactly({ hosts: list(dotted), secretName: dotted }, ["hosts", "secretName"])),
    rules: list(exactly({ host: dotted, http: exactly({ paths: list(path) }, ["paths"]) }, ["host", "http"])),
  },
  ["rules"],
);

/** Schema of each kind of object. */
export const kubernetesSchemas: Readonly<Record<string, Schema>> = {
  ConfigMap: kind("v1", "ConfigMap", { data: variables }),
  Secret: kind("v1", "Secret", { type: { const: "Opaque" }, stringData: variables }),
  Service: kind("v1", "Service", { spec: service }),
  StatefulSet: kind("apps/v1", "StatefulSet", { spec: statefulSet }),
  Ingress: kind("networking.k8s.io/v1", "Ingress", { spec: ingress }),
};
