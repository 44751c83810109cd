import type { ModelFacts } from "../../../contract/models/model-facts.ts";
import type { ServerName } from "../../../server/models/connections/discovery/server-name.ts";
import type { ScriptedServerName } from "./scripted-server.ts";

/** The price of a call to a server of one's own. */
export const free = { input: 0, output: 0 };
const text = { images: false, audio: false };
const onOff: ModelFacts = { reasoning: true, efforts: ["off", "medium"] };

/** What is known of each scripted server after discovery: its kind, and the facts of its models. */
export const factsOfServers: Record<ScriptedServerName, { server: ServerName; models: Record<string, ModelFacts> }> = {
  ollama: {
    server: "ollama",
    models: {
      "qwen3:8b": { ...text, ...onOff, tools: true, price: free, contextTokens: 4096 },
      "qwen3-vl:8b": { ...text, images: true, tools: true, reasoning: false, price: free, contextTokens: 16_384 },
      "nomic-embed-text:latest": { ...text, tools: false, reasoning: false, price: free, purpose: "embedding" },
      "gpt-oss:120b-cloud": { ...text, tools: true, reasoning: true, efforts: ["low", "medium", "high"] },
    },
  },
  lmStudio: {
    server: "lm-studio",
    models: {
      "qwen2-vl-7b-instruct": { images: true, tools: true, contextTokens: 8192, price: free },
      "meta-llama-3.1-8b-instruct": { images: false, price: free },
      "text-embedding-nomic-embed-text-v1.5": { images: false, price: free, purpose: "embedding" },
    },
  },
  llamaCpp: {
    server: "llama-cpp",
    models: { "gemma-3-4b-it.gguf": { images: true, audio: false, tools: true, contextTokens: 8192, price: free } },
  },
  llamaRouter: {
    server: "llama-cpp",
    models: {
      "ggml-org/gemma-3-4b-it-GGUF:Q4_K_M": {
        ...{ images: true, pdf: false, audio: false, tools: true },
        ...{ contextTokens: 8192, price: free },
      },
      "ggml-org/gpt-oss-20b-GGUF:MXFP4": { images: false, pdf: false, audio: false, price: free },
    },
  },
  vllm: { server: "vllm", models: { "Qwen/Qwen3-32B": { contextTokens: 32_768, price: free } } },
  openRouter: {
    server: "openrouter",
    models: {
      "openai/gpt-5-mini": {
        label: "OpenAI: GPT-5 Mini",
        contextTokens: 400_000,
        maxOutputTokens: 128_000,
        ...{ images: true, pdf: true, audio: false, tools: true, reasoning: true },
        efforts: ["minimal", "low", "medium", "high"],
        price: { input: 0.25, output: 2, cacheRead: 0.025 },
      },
      "qwen/qwen3-coder:free": {
        label: "Qwen: Qwen3 Coder (free)",
        contextTokens: 131_072,
        ...{ images: false, pdf: false, audio: false, tools: false, reasoning: false },
        price: free,
      },
      "openrouter/auto": {
        label: "Auto Router",
        contextTokens: 400_000,
        maxOutputTokens: 128_000,
        ...{ images: false, pdf: false, audio: false, tools: false, reasoning: false },
      },
      "google/gemini-3-flash-image": {
        label: "Google: Gemini 3 Flash Image",
        contextTokens: 400_000,
        maxOutputTokens: 128_000,
        ...{ images: true, pdf: false, audio: false, tools: false, reasoning: false, imageOutput: true },
        price: free,
      },
      "google/imagen-5": {
        label: "Google: Imagen 5",
        contextTokens: 400_000,
        maxOutputTokens: 128_000,
        ...{ images: false, pdf: false, audio: false, tools: false, reasoning: false, imageOutput: true },
        price: free,
        purpose: "picture",
      },
    },
  },
  together: {
    server: "other",
    models: {
      "meta-llama/Llama-3.3-70B-Instruct-Turbo": {
        label: "Llama 3.3 70B",
        contextTokens: 131_072,
        price: { input: 0.88, output: 0.88 },
      },
      "BAAI/bge-large-en-v1.5": { contextTokens: 512, price: { input: 0.88, output: 0.88 }, purpose: "embedding" },
      "black-forest-labs/FLUX.1-schnell": { price: { input: 0.88, output: 0.88 }, purpose: "picture" },
      "dedicated/only": { contextTokens: 131_072 },
    },
  },
  liteLlm: {
    server: "litellm",
    models: {
      fast: {
        contextTokens: 272_000,
        maxOutputTokens: 128_000,
        ...{ images: true, pdf: true, tools: true, reasoning: true },
        price: { input: 0.25, output: 2, cacheRead: 0.025 },
      },
      vectors: { contextTokens: 8191, purpose: "embedding" },
      "unknown-one": {},
    },
  },
  azure: {
    server: "azure",
    models: {
      "our-chat": {
        contextTokens: 300_000,
        maxOutputTokens: 32_768,
        ...{ images: true, pdf: true, tools: true, reasoning: true },
        efforts: ["minimal", "low", "medium", "high"],
      },
      "text-embedding-3-small": { purpose: "embedding" },
    },
  },
  mistral: {
    server: "mistral",
    models: {
      "mistral-medium-latest": { contextTokens: 131_072, images: true, tools: true },
      "magistral-small-latest": { contextTokens: 131_072, images: false, tools: true, reasoning: true },
      "mistral-embed": { contextTokens: 131_072, images: false, tools: false, purpose: "embedding" },
      "mistral-ocr-latest": { contextTokens: 131_072, images: false, tools: false, purpose: "transcription" },
    },
  },
  groq: {
    server: "other",
    models: {
      "openai/gpt-oss-120b": { contextTokens: 131_072, maxOutputTokens: 65_536 },
      "whisper-large-v3": { maxOutputTokens: 448, purpose: "transcription" },
    },
  },
  gemini: {
    server: "gemini",
    models: {
      "models/gemini-2.5-flash": {
        label: "Gemini 2.5 Flash",
        contextTokens: 1_048_576,
        maxOutputTokens: 65_536,
        images: true,
        reasoning: true,
        efforts: ["low", "medium", "high"],
      },
      "models/gemini-2.5-flash-preview-tts": {
        label: "Gemini 2.5 Flash Preview TTS",
        contextTokens: 8192,
        maxOutputTokens: 16_384,
        reasoning: false,
        purpose: "speech",
      },
      "models/gemini-embedding-001": {
        label: "Gemini Embedding 001",
        contextTokens: 2048,
        maxOutputTokens: 1,
        reasoning: false,
        purpose: "embedding",
      },
    },
  },
  deepSeek: { server: "deepseek", models: { "deepseek-chat": {}, "deepseek-reasoner": {} } },
  xai: {
    server: "xai",
    models: {
      "grok-3": { images: false, pdf: false, audio: false, price: { input: 3, output: 15, cacheRead: 0.75 } },
      "grok-2-vision-1212": { images: true, pdf: false, audio: false, price: { input: 2, output: 10 } },
      "grok-2-image-1212": { purpose: "picture" },
    },
  },
  anthropic: {
    server: "anthropic",
    models: {
      "claude-haiku-5-5": {
        label: "Claude Haiku 5.5",
        contextTokens: 1_000_000,
        maxOutputTokens: 64_000,
        ...{ images: true, pdf: true, reasoning: true },
        efforts: ["low", "medium", "high"],
      },
      "claude-novel-7": {
        label: "Claude Novel 7",
        contextTokens: 1_000_000,
        maxOutputTokens: 64_000,
        ...{ images: true, pdf: true, reasoning: true },
        efforts: ["low", "medium", "high"],
      },
    },
  },
};
