import * as z from "zod/mini";
import { type ConnectionHeader, HEADERS_MAX, newConnectionSchema } from "#contract/administration/connections.ts";

const { headers: headersField } = newConnectionSchema.shape;

/** Reads headers as lines `Name: value`. @returns undefined if a line is none, or if there are too many */
export function enteredHeaders(text: string): ConnectionHeader[] | undefined {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const headers = lines.map((line) => {
    const at = line.indexOf(":");
    return { name: line.slice(0, Math.max(at, 0)).trim(), value: line.slice(at + 1).trim() };
  });
  return headers.length <= HEADERS_MAX ? z.safeParse(headersField, headers).data : undefined;
}
