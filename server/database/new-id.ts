import { v7 } from "uuid";

/** Returns a new row id: a UUIDv7, ascending within the process. Access control never relies on ids being secret. */
export const newId = (): string => v7();
