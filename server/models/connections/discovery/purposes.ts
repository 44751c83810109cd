import type { OtherPurpose } from "#contract/models/model-facts.ts";
import { field, isRecord, textField } from "../../../text/wire-json.ts";
import { outputModalities, textList } from "./facts.ts";

/** Kinds of models as lists name them in `type` (LM Studio, Together) or `mode` (LiteLLM), or as modalities of output. */
const KINDS: Readonly<Record<string, OtherPurpose | "chat">> = {
  chat: "chat",
  llm: "chat",
  vlm: "chat",
  language: "chat",
  code: "chat",
  completion: "chat",
  responses: "chat",
  embedding: "embedding",
  embeddings: "embedding",
  rerank: "rerank",
  audio: "speech",
  speech: "speech",
  tts: "speech",
  audio_speech: "speech",
  realtime: "speech",
  transcribe: "transcription",
  transcription: "transcription",
  audio_transcription: "transcription",
  stt: "transcription",
  // Text of a document instead of a recording.
  ocr: "transcription",
  image: "picture",
  image_generation: "picture",
  image_edit: "picture",
  video: "video",
  video_generation: "video",
  moderation: "moderation",
  moderations: "moderation",
};

/** Capabilities, of which Mistral and Azure set one or none for a model that cannot chat. */
const CAPABILITIES: Readonly<Record<string, OtherPurpose>> = {
  embeddings: "embedding",
  embedding: "embedding",
  ocr: "transcription",
  audio_transcription: "transcription",
  audio_speech: "speech",
  moderation: "moderation",
  classification: "moderation",
};

/** Parts of Gemini's `supportedGenerationMethods` of models that cannot chat. */
const METHODS: readonly (readonly [string, OtherPurpose])[] = [
  ["embed", "embedding"],
  ["bidiGenerateContent", "speech"],
  ["predictLongRunning", "video"],
  ["predict", "picture"],
];

/**
 * Names of models without a declared kind, the first match counts. Chat models with a similar name do not match, such as
 * `gpt-4o-audio-preview` and `gemini-2.5-flash-image`.
 */
const NAMES: readonly (readonly [RegExp, OtherPurpose])[] = [
  [/rerank/, "rerank"],
  [/embed|(?:^|[-_])(?:bge|e5|gte)[-_]|minilm|^voyage-|text-similarity/, "embedding"],
  [/moderation|(?:llama|prompt)-?guard|shieldgemma/, "moderation"],
  [/whisper|transcribe|(?:^|[-_])asr(?:[-_]|$)|^mistral-ocr/, "transcription"],
  [/(?:^|[-_])tts(?:[-_]|$)|^kokoro|^orpheus|(?:^|[-_])realtime(?:[-_]|$)/, "speech"],
  [/^sora(?:-|$)|^veo-|[-_]video(?:[-_]|$)/, "video"],
  [/dall-?e|(?:gpt|qwen|chatgpt|grok-(?:\d+-)?)-?image|^imagen|stable-diffusion|^sdxl|^flux|^grok-imagine/, "picture"],
];

/** Purpose of a model that is declared unable to chat, if nothing says more. */
const MOST_COMMON: OtherPurpose = "embedding";

/** Returns what a model is for if it cannot chat: by the kind that its list declares, else by its name. */
export function purposeOf(name: string, entry: unknown): OtherPurpose | undefined {
  const declared = declaredKind(entry);
  if (declared === "chat") return undefined;
  if (declared === "other") return purposeByName(name) ?? MOST_COMMON;
  return declared ?? purposeByName(name);
}

/** Returns the purpose that the last segment of a model's name reveals. */
export function purposeByName(name: string): OtherPurpose | undefined {
  const last = (name.split("/").at(-1) ?? name).toLowerCase();
  return NAMES.find(([pattern]) => pattern.test(last))?.[1];
}

/** Returns the declared kind. `other`: the model cannot chat. */
function declaredKind(entry: unknown): OtherPurpose | "chat" | "other" | undefined {
  const named = kindNamed(textField(entry, "type")) ?? kindNamed(textField(entry, "mode"));
  return named ?? kindOfCapabilities(field(entry, "capabilities")) ?? kindOfMethods(entry) ?? kindOfOutput(entry);
}

function kindNamed(word: string): OtherPurpose | "chat" | undefined {
  return Object.hasOwn(KINDS, word) ? KINDS[word] : undefined;
}

function kindOfCapabilities(capabilities: unknown): OtherPurpose | "chat" | "other" | undefined {
  if (Array.isArray(capabilities)) {
    // Ollama: a model that completes text may have other capabilities too.
    if (capabilities.includes("completion")) return "chat";
    const [kind] = capabilities.flatMap((word) => kindNamed(String(word)) ?? []);
    return kind;
  }
  if (!isRecord(capabilities)) return undefined;
  const chats = field(capabilities, "completion_chat") ?? field(capabilities, "chat_completion");
  if (typeof chats !== "boolean") return undefined;
  const other = Object.keys(CAPABILITIES).find((name) => capabilities[name] === true);
  if (chats) return "chat";
  return other === undefined ? "other" : CAPABILITIES[other];
}

/** Gemini's models of speech have `generateContent` too. Their names distinguish them. */
function kindOfMethods(entry: unknown): OtherPurpose | "other" | undefined {
  const methods = textList(entry, "supportedGenerationMethods");
  if (methods.length === 0 || methods.includes("generateContent")) return undefined;
  return METHODS.find(([part]) => methods.some((method) => method.startsWith(part)))?.[1] ?? "other";
}

function kindOfOutput(entry: unknown): OtherPurpose | "other" | undefined {
  const modalities = outputModalities(entry);
  if (modalities.length === 0 || modalities.includes("text")) return undefined;
  const [kind] = modalities.flatMap((word) => kindNamed(word) ?? []);
  return kind === undefined || kind === "chat" ? "other" : kind;
}
