import { accountQuery } from "../../queries/query.ts";
import { settingsApi } from "../settings-api.ts";

/** Storage usage of the account. */
export const storageQuery = accountQuery((signal) => settingsApi.readStorage(signal));
