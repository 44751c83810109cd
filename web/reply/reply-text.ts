/** Fields of a reply's text in the JSON of our server and of other servers that the specification names. */

type Json = Record<string, unknown>;

export function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Parses a JSON object; null for any other text, including numbers and strings. */
export function parseObject(text: string): Json | null {
  if (!text.trimStart().startsWith("{")) return null;
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

function firstText(...candidates: unknown[]): string | null {
  for (const candidate of candidates) if (typeof candidate === "string" && candidate !== "") return candidate;
  return null;
}

const field = (value: unknown, name: string): unknown => (isObject(value) ? value[name] : undefined);

/** Returns the text of one event, or null. */
export function eventText(event: Json): string | null {
  const choice: unknown = Array.isArray(event.choices) ? event.choices[0] : undefined;
  return firstText(
    event.token,
    event.content,
    event.text,
    event.delta,
    field(field(choice, "delta"), "content"),
    field(event.data, "content"),
  );
}

/** Returns the text of a whole reply in one JSON body, or null. */
export function bodyText(body: Json): string | null {
  return firstText(field(body.ai_response, "content"), body.content, body.text, body.message);
}

/** Returns the message of an `error` field, a string or an object with a message; null if there is none. */
export function errorText(value: Json): string | null {
  return firstText(value.error, field(value.error, "message"));
}
