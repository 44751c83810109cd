/** Damage in a backup, without the name of its file. */
export class Damage extends Error {}
