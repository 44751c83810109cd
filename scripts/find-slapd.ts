import { findServer } from "./find-nginx.ts";

/** Returns OpenLDAP's server for tests: SLAPD_PATH, else one of this machine; undefined if there is none. */
export const findSlapd = () => findServer("slapd", process.env.SLAPD_PATH);
