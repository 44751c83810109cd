export const samplers = [
  "always_on",
  "always_off",
  "traceidratio",
  "parentbased_always_on",
  "parentbased_always_off",
  "parentbased_traceidratio",
] as const;

/** `ratio`: from 0 to 1, for samplers with a ratio. */
export type SamplerSettings = { name: (typeof samplers)[number]; ratio: number };

export type TraceSettings = {
  /** URL to which spans are posted. */
  url: string;
  /** Attributes of this process: `service.name` and others. */
  resource: Readonly<Record<string, string>>;
  sampler: SamplerSettings;
  /** Maximum time that ended spans wait for a batch; the SDK's default if absent. */
  exportDelayMs?: number;
};

const PAIR = /^\s*([^=,\s]+)\s*=\s*([^,]*?)\s*$/;

/** Returns whether a text is a list in OpenTelemetry's form: `key=value,key=value`, values percent-encoded. */
export function isPairs(text: string): boolean {
  return text.split(",").every((pair) => PAIR.test(pair) && isDecodable(pair));
}

/** Parses such a list. */
export function readPairs(text: string): Record<string, string> {
  return Object.fromEntries(
    text.split(",").flatMap((pair) => {
      const [, key, value = ""] = PAIR.exec(pair) ?? [];
      return key === undefined ? [] : [[key, decodeURIComponent(value)]];
    }),
  );
}

function isDecodable(text: string): boolean {
  try {
    return decodeURIComponent(text) !== "";
  } catch {
    return false;
  }
}

/** The standard variables, each valid or absent; variables with several values as a platform may set them. */
export type TraceVariables = Partial<
  Record<
    | "OTEL_EXPORTER_OTLP_ENDPOINT"
    | "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"
    | "OTEL_EXPORTER_OTLP_PROTOCOL"
    | "OTEL_SERVICE_NAME"
    | "OTEL_RESOURCE_ATTRIBUTES"
    | "OTEL_TRACES_SAMPLER"
    | "OTEL_TRACES_SAMPLER_ARG"
    | "OTEL_TRACES_EXPORTER"
    | "OTEL_SDK_DISABLED"
    | "OTEL_BSP_SCHEDULE_DELAY",
    string | undefined
  >
>;

/** Returns whether an endpoint is configured and tracing is not disabled. */
export function hasTraces(variables: TraceVariables): boolean {
  const { OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT } = variables;
  const isNamed = [OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT].some((url) => url?.trim());
  const isDisabled = variables.OTEL_SDK_DISABLED?.trim().toLowerCase() === "true";
  return isNamed && !isDisabled && variables.OTEL_TRACES_EXPORTER?.trim() !== "none";
}

/**
 * Returns warnings about unsupported settings: traces are always sent as JSON over HTTP, which collectors accept beside
 * other protocols.
 */
export function traceWarningsOf(variables: TraceVariables): string[] {
  const { OTEL_EXPORTER_OTLP_PROTOCOL: protocol = "http/json", OTEL_TRACES_EXPORTER: exporters = "otlp" } = variables;
  const isOtlp = exporters.split(",").every((exporter) => exporter.trim() === "otlp");
  return [
    ...(protocol === "http/json" ? [] : ["OTEL_EXPORTER_OTLP_PROTOCOL is ignored: traces are sent as http/json."]),
    ...(isOtlp
      ? []
      : ["OTEL_TRACES_EXPORTER is ignored: its only supported values are otlp and none; traces are sent by otlp."]),
  ];
}

/** Returns the settings of tracing; undefined if no endpoint is configured or tracing is disabled. */
export function traceSettingsOf(variables: TraceVariables): TraceSettings | undefined {
  const base = variables.OTEL_EXPORTER_OTLP_ENDPOINT?.replace(/\/+$/, "");
  const url = variables.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? (base && `${base}/v1/traces`);
  if (!url || !hasTraces(variables)) return undefined;
  const attributes = readPairs(variables.OTEL_RESOURCE_ATTRIBUTES ?? "");
  const name = samplers.find((sampler) => sampler === variables.OTEL_TRACES_SAMPLER) ?? "parentbased_always_on";
  const delay = variables.OTEL_BSP_SCHEDULE_DELAY;
  return {
    url,
    resource: {
      ...attributes,
      "service.name": variables.OTEL_SERVICE_NAME ?? attributes["service.name"] ?? "parley",
    },
    sampler: { name, ratio: Number(variables.OTEL_TRACES_SAMPLER_ARG ?? 1) },
    ...(delay !== undefined && { exportDelayMs: Number(delay) }),
  };
}
