import { v7 } from "uuid";

/** A new row id: UUIDv7, ascending within the process. Access never rests on it being hard to guess. */
export const newId = (): string => v7();
