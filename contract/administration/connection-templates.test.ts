import { describe, expect, it } from "vitest";
import { ADDRESS_BLANK, connectionTemplates } from "./connection-templates.ts";
import { newConnectionSchema } from "./connections.ts";

const isOwnMachine = (address: string) => address.startsWith("http://127.0.0.1:");

describe("templates of connections", () => {
  it("each template has an id and an address of its own", () => {
    for (const key of ["id", "baseUrl"] as const) {
      const values = connectionTemplates.map((template) => template[key]);
      expect(new Set(values).size).toBe(values.length);
    }
    expect(connectionTemplates.filter(({ name }) => name === undefined).map(({ id }) => id)).toEqual(["other"]);
  });

  it.each(connectionTemplates.map((template) => [template.id, template] as const))(
    "the template %s makes a connection that the server accepts",
    (id, { name = id, kind, baseUrl, key }) => {
      const address = baseUrl.replace(ADDRESS_BLANK, "salon") || "http://192.168.1.7/v1";
      const apiKey = key === "none" ? null : "sk-1";
      expect(newConnectionSchema.safeParse({ name, kind, baseUrl: address, apiKey }).success).toBe(true);
      expect(new URL(address).href).toBe(address);
    },
  );

  it.each(connectionTemplates.filter(({ id }) => id !== "other").map((template) => [template.id, template] as const))(
    "the template %s calls other machines by https and with a key, whose page it names",
    (_, { baseUrl, key, keyPage }) => {
      if (isOwnMachine(baseUrl)) expect([key === "required", keyPage]).toEqual([false, undefined]);
      else expect([new URL(baseUrl).protocol, key, URL.canParse(keyPage ?? "")]).toEqual(["https:", "required", true]);
    },
  );
});
