import { sql } from "kysely";

/** Clock of the database (Unix time in ms), shared by processes whose own clocks differ. For PostgreSQL. */
export const databaseNow = sql<number>`cast(extract(epoch from clock_timestamp()) * 1000 as bigint)`;
