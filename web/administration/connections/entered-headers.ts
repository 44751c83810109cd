import * as z from "zod/mini";
import {
  type HeaderOptions,
  type HeaderProblem,
  headerProblem,
  parseHeaderLines,
} from "#contract/administration/connection-headers.ts";
import { type ConnectionHeader, HEADERS_MAX, newConnectionSchema } from "#contract/administration/connections.ts";

const { headers: headersField } = newConnectionSchema.shape;

export type EnteredHeaders = { headers: ConnectionHeader[] } | { problem: HeaderProblem | "invalid" };

/** Reads headers as lines `Name: value`. `invalid`: a line is none, or there are too many. */
export function enteredHeaders(text: string, options: HeaderOptions): EnteredHeaders {
  const entered = parseHeaderLines(text);
  const headers = entered.length <= HEADERS_MAX ? z.safeParse(headersField, entered).data : undefined;
  const problem = headers ? headerProblem(headers, options) : "invalid";
  return headers && problem === undefined ? { headers } : { problem: problem ?? "invalid" };
}
