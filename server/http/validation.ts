import type { FastifyInstance, FastifyRequest, FastifySchemaCompiler } from "fastify";
import { type FastifyPluginAsyncZod, serializerCompiler } from "fastify-type-provider-zod";
import * as z from "zod/mini";
import { fieldIssues } from "#contract/text/validation.ts";
import { Failure } from "../failure.ts";
import { refuseCostlyJson } from "./json-structure.ts";
import { parseInSteps } from "./parse-in-steps.ts";

/** The application as plugins of routes receive it: the schemas of a route are the types of its handler. */
export type RouteApp = Parameters<FastifyPluginAsyncZod>[0];

/** Length in UTF-16 units up to which parsing a body is cheap, whatever it contains. */
const SMALL_BODY = 64 * 1024;

/** Validates requests and responses by the contract's schemas. Bodies must be JSON; an empty body counts as none. */
export function validateByContract(app: FastifyInstance): void {
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  app.removeAllContentTypeParsers();
  const parseJson = jsonParser(app);
  app.addContentTypeParser("application/json", { parseAs: "string" }, (request, body, done) =>
    parseJson(request, String(body), done),
  );
}

type Done = (error: Error | null, body?: unknown) => void;

/** Returns the parser of JSON bodies, for routes whose bodies contain JSON. An empty text is no body. */
export function jsonParser(app: FastifyInstance): (request: FastifyRequest, text: string, done: Done) => void {
  const parseJson = app.getDefaultJsonParser("error", "error");
  return (request, text, done) => {
    if (text === "") done(null, undefined);
    else if (text.length <= SMALL_BODY) void parseJson(request, text, done);
    else {
      const parse = (chunk: string) => parseWith(parseJson, request, chunk);
      refuseCostlyJson(text)
        .then(() => parseInSteps(text, parse))
        .then((body) => done(null, body), done);
    }
  };
}

type JsonParser = ReturnType<FastifyInstance["getDefaultJsonParser"]>;

/** Calls Fastify's parser, which calls back at once. @throws its error for an invalid text */
function parseWith(parseJson: JsonParser, request: FastifyRequest, text: string): unknown {
  let outcome: { error: Error | null; body?: unknown } | undefined;
  void parseJson(request, text, (error, body) => {
    outcome = { error, body };
  });
  if (outcome?.error) throw outcome.error;
  return outcome?.body;
}

const validatorCompiler: FastifySchemaCompiler<z.core.$ZodType> =
  ({ schema, httpPart }) =>
  (data) => {
    const result = z.safeParse(schema, httpPart === "body" ? (data ?? {}) : data);
    if (result.success) return { value: result.data };
    return { error: new Failure("invalid-input", { issues: fieldIssues(result.error.issues) }) };
  };
