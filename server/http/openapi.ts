import swagger from "@fastify/swagger";
import type { FastifyInstance } from "fastify";
import { jsonSchemaTransform } from "fastify-type-provider-zod";
import { API_BASE } from "#contract/http.ts";

export const DOCS_PATH = `${API_BASE}/docs`;

/** Generates the OpenAPI description of every route registered after this call. `/api/docs` shows it. */
export async function describeApi(app: FastifyInstance, productName: string): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: "3.1.0",
      info: { title: `${productName} API`, version: "1" },
      servers: [{ url: "/" }],
      components: { securitySchemes: { bearer: { type: "http", scheme: "bearer", bearerFormat: "JWT" } } },
      security: [{ bearer: [] }],
    },
    transform: (input) => {
      const { schema, url } = jsonSchemaTransform(input);
      const isOpen = input.route.config?.role === "open";
      return { schema: isOpen ? { ...schema, security: [] } : schema, url };
    },
  });
}

/**
 * Serves the page that shows the description, and the description itself at `/api/docs/json`. Both are open to all. The
 * page has a content security policy of its own.
 */
export async function serveApiPage(app: FastifyInstance): Promise<void> {
  const { default: swaggerUi } = await import("@fastify/swagger-ui");
  await app.register(async (scope) => {
    scope.addHook("onRoute", (route) => {
      route.config = { ...route.config, role: "open" };
    });
    await scope.register(swaggerUi, {
      routePrefix: DOCS_PATH,
      staticCSP:
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
        "font-src 'self'; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
    });
  });
}
