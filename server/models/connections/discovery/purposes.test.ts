import { expect, test } from "vitest";
import { purposeByName, purposeOf } from "./purposes.ts";

test.each([
  ["text-embedding-3-large", "embedding"],
  ["nomic-embed-text:latest", "embedding"],
  ["embeddinggemma:300m", "embedding"],
  ["BAAI/bge-m3", "embedding"],
  ["intfloat/multilingual-e5-large", "embedding"],
  ["all-minilm", "embedding"],
  ["BAAI/bge-reranker-v2-m3", "rerank"],
  ["whisper-large-v3-turbo", "transcription"],
  ["gpt-4o-mini-transcribe", "transcription"],
  ["tts-1-hd", "speech"],
  ["gpt-4o-mini-tts", "speech"],
  ["gemini-2.5-flash-preview-tts", "speech"],
  ["gpt-realtime", "speech"],
  ["canopylabs/orpheus-v1-english", "speech"],
  ["dall-e-3", "picture"],
  ["gpt-image-1-mini", "picture"],
  ["imagen-4.0-generate-001", "picture"],
  ["grok-2-image-1212", "picture"],
  ["black-forest-labs/FLUX.1-schnell", "picture"],
  ["sora-2-pro", "video"],
  ["veo-3.1-generate-preview", "video"],
  ["omni-moderation-latest", "moderation"],
  ["meta-llama/llama-guard-4-12b", "moderation"],
  ["gpt-4o-audio-preview", undefined],
  ["gemini-2.5-flash-image", undefined],
  ["gpt-5-mini", undefined],
  ["gpt-oss-safeguard:20b", undefined],
  ["e5-chat-helper/llama3", undefined],
  ["deepseek-ocr", undefined],
  ["sorant-7b", undefined],
])("the name %s is that of a model for %s", (name, purpose) => {
  expect(purposeByName(name)).toBe(purpose);
});

test.each([
  [{ type: "vlm" }, undefined],
  [{ type: "embeddings" }, "embedding"],
  [{ mode: "image_generation" }, "picture"],
  [{ mode: null }, "speech"],
  [{ capabilities: ["completion", "embedding"] }, undefined],
  [{ capabilities: ["embedding"] }, "embedding"],
  [{ capabilities: { completion_chat: true } }, undefined],
  [{ capabilities: { completion_chat: false, ocr: true } }, "transcription"],
  [{ capabilities: { chat_completion: false, embeddings: true } }, "embedding"],
  [{ capabilities: { completion_chat: false } }, "speech"],
  [{ architecture: { output_modalities: ["image"] } }, "picture"],
  [{ output_modalities: ["embeddings"] }, "embedding"],
  [{ output_modalities: ["image", "text"] }, "speech"],
  [{ supportedGenerationMethods: ["embedContent"] }, "embedding"],
  [{ supportedGenerationMethods: ["predictLongRunning"] }, "video"],
  [{ supportedGenerationMethods: ["generateContent"] }, "speech"],
  ["nothing", "speech"],
])("the model named tts whose list says %j is for %s", (entry, purpose) => {
  expect(purposeOf("tts", entry)).toBe(purpose);
});
