import type { FastifyInstance, FastifySchemaCompiler } from "fastify";
import { serializerCompiler } from "fastify-type-provider-zod";
import * as z from "zod/mini";
import { fieldIssues } from "#contract/validation.ts";
import { Failure } from "../failure.ts";

/** Requests and responses are checked by the contract's schemas; a body must be JSON, an empty one is none. */
export function validateByContract(app: FastifyInstance): void {
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  app.removeAllContentTypeParsers();
  const parseJson = app.getDefaultJsonParser("error", "error");
  app.addContentTypeParser("application/json", { parseAs: "string" }, (request, body, done) => {
    if (body === "") done(null, undefined);
    else void parseJson(request, String(body), done);
  });
}

const validatorCompiler: FastifySchemaCompiler<z.core.$ZodType> =
  ({ schema, httpPart }) =>
  (data) => {
    const result = z.safeParse(schema, httpPart === "body" ? (data ?? {}) : data);
    if (result.success) return { value: result.data };
    return { error: new Failure("invalid-input", { issues: fieldIssues(result.error.issues) }) };
  };
