/** Clock, injected so that tests can control time. Returns Unix time in ms. */
export type Clock = { now(): number };
