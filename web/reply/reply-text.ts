/** Where the pieces of a reply stand in the JSON of our own server and of the others that the product can speak to. */

type Json = Record<string, unknown>;

export function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The object that a text holds as JSON; null for anything else, numbers and quoted strings included. */
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

/** The piece of text of one event, or null. */
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

/** The text of a whole reply sent as one JSON body, or null. */
export function bodyText(body: Json): string | null {
  return firstText(field(body.ai_response, "content"), body.content, body.text, body.message);
}

/** The words of an `error` field, be it a sentence or an object with a message; null where there is none. */
export function errorText(value: Json): string | null {
  return firstText(value.error, field(value.error, "message"));
}
