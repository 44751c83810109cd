import type { Bus } from "../bus/bus.ts";
import type { Clock } from "../concurrency/clock.ts";
import type { Config } from "../config/config.ts";
import type { SecretCipher } from "../config/secret-cipher.ts";
import type { Secrets } from "../config/secrets.ts";
import { Connections } from "../connections/connections.ts";
import type { Database } from "../database/schema.ts";
import type { OtherWriters } from "../database/sqlite/other-writers.ts";
import type { InstallationSettings } from "../installation/installation-settings.ts";
import type { Log } from "../log.ts";
import type { OnList, OnModelFacts } from "../models/connections/open-connection.ts";
import { defaultCatalogue } from "../models/default-catalogue.ts";
import type { Pause } from "../models/demo-assistant.ts";
import { environmentAddresses } from "../models/environment-addresses.ts";
import { type Models, openModels } from "../models/open-models.ts";
import { readCatalogue } from "../models/read-catalogue.ts";
import type { Outbound } from "../outbound/outbound.ts";
import type { Telemetry } from "../telemetry/telemetry.ts";

export type ConnectedModelsDeps = {
  config: Config;
  secrets: Secrets;
  cipher: SecretCipher;
  database: Database;
  otherWriters: OtherWriters;
  bus: Bus;
  log: Log;
  clock: Clock;
  outbound: Outbound;
  installation: InstallationSettings;
  telemetry: Telemetry;
};

/** Opens the models of the environment and those of the stored connections. @throws ConfigError */
export async function openConnectedModels(
  opened: AsyncDisposableStack,
  deps: ConnectedModelsDeps,
  { demoPause, acceptsNewSecret = false }: { demoPause?: Pause; acceptsNewSecret?: boolean },
): Promise<{ models: Models; connections: Connections }> {
  const { config, secrets, installation, clock, telemetry, otherWriters, outbound } = deps;
  const settings = {
    productName: () => installation.current.productName,
    catalogue: config.modelsFile ? await readCatalogue(config.modelsFile) : defaultCatalogue,
    ...environmentAddresses(config, secrets),
  };
  let connections: Connections | undefined;
  const onList: OnList = (slug, listed) => void connections?.save(slug, listed);
  const onFacts: OnModelFacts = (slug, name, facts) => void connections?.saveFacts(slug, name, facts);
  const overrides = {
    now: () => clock.now(),
    onList,
    onFacts,
    outbound,
    ...(demoPause && { demoPause }),
    ...telemetry.models,
  };
  const models = opened.use(openModels(settings, overrides));
  const isShared = secrets.databaseUrl !== undefined;
  connections = opened.use(await Connections.open({ ...deps, models, isShared }, { acceptsNewSecret }));
  otherWriters.onWritten(() => void connections.reload());
  return { models, connections };
}
