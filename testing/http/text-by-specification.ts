/**
 * Returns the text of a streamed reply as a client reads it that knows §7 of the product's specification, and nothing of
 * our own contract. Throws for an error in the stream.
 */
export function textBySpecification(body: string): string {
  let text = "";
  for (const line of body.split("\n")) {
    const isEvent = line.startsWith("data:");
    const value = isEvent ? line.slice("data:".length).trim() : line;
    if (value === "" || value === "[DONE]") continue;
    let event: Record<string, unknown>;
    try {
      event = JSON.parse(value);
    } catch {
      text += value;
      continue;
    }
    const choices = event.choices as { delta?: { content?: string } }[] | undefined;
    const data = event.data as { content?: string } | undefined;
    const candidates = [
      event.token,
      event.content,
      event.text,
      event.delta,
      choices?.[0]?.delta?.content,
      data?.content,
    ];
    if (event.error !== undefined || event.message !== undefined) throw new Error(value);
    text += candidates.find((one) => typeof one === "string") ?? "";
  }
  return text;
}
