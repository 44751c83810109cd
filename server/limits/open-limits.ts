import type { Config } from "../config/config.ts";
import { deriveKey } from "../config/secret-key.ts";
import { Limits, type LimitsDeps } from "./limits.ts";

type OpenLimitsDeps = Omit<LimitsDeps, "key" | "isOn"> & { config: Pick<Config, "hasRateLimits">; secretKey: string };

/** Opens the limits of an installation; they count in its database. */
export function openLimits({ config, secretKey, ...deps }: OpenLimitsDeps): Limits {
  return new Limits({ ...deps, key: deriveKey(secretKey, "limits"), isOn: config.hasRateLimits });
}
