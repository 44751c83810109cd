export * from "./accounts.ts";
export * from "./app.ts";
export * from "./errors.ts";
export * from "./validation.ts";
