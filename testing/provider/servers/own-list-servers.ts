import { anthropicMessagesWire } from "../anthropic/anthropic-messages-wire.ts";
import { googleErrorAnswer } from "../openai/openai-errors.ts";
import type { WireFailure } from "../wire.ts";
import { listEntry, type Refusal, type ServerScript } from "./server-script.ts";

const google = (failure: WireFailure): Refusal => {
  const { status, body } = googleErrorAnswer(failure);
  return [status, JSON.parse(body)];
};

const gemini: ServerScript = {
  kind: "openai",
  path: "/v1beta/openai",
  keyHeader: "authorization",
  documents: {
    "/v1beta/openai/models": {
      object: "list",
      data: ["gemini-2.5-flash", "gemini-2.5-flash-preview-tts", "gemini-embedding-001"].map((id) =>
        listEntry("google", `models/${id}`),
      ),
    },
    "/v1beta/models?pageSize=1000": {
      models: [
        {
          name: "models/gemini-2.5-flash",
          displayName: "Gemini 2.5 Flash",
          inputTokenLimit: 1_048_576,
          outputTokenLimit: 65_536,
          supportedGenerationMethods: ["generateContent", "countTokens"],
          thinking: true,
        },
      ],
      nextPageToken: "second page",
    },
    "/v1beta/models?pageSize=1000&pageToken=second+page": {
      models: [
        {
          name: "models/gemini-2.5-flash-preview-tts",
          displayName: "Gemini 2.5 Flash Preview TTS",
          inputTokenLimit: 8192,
          outputTokenLimit: 16_384,
          supportedGenerationMethods: ["countTokens", "generateContent"],
        },
        {
          name: "models/gemini-embedding-001",
          displayName: "Gemini Embedding 001",
          inputTokenLimit: 2048,
          outputTokenLimit: 1,
          supportedGenerationMethods: ["embedContent", "countTextTokens"],
        },
      ],
    },
  },
  chats: { "models/gemini-2.5-flash": { pictures: true } },
  dialect: "gemini",
  failures: {
    "wrong-key": google("wrong-key"),
    "unknown-model": google("unknown-model"),
    "too-long": google("too-long"),
    "rate-limited": google("rate-limited"),
    overloaded: google("overloaded"),
  },
};

const xaiModel = (id: string, more: object) =>
  listEntry("xai", id, { fingerprint: "fp_1", version: "1.0", output_modalities: ["text"], aliases: [], ...more });

const xai: ServerScript = {
  kind: "openai",
  path: "/v1",
  keyHeader: "authorization",
  documents: {
    "/v1/models": {
      object: "list",
      data: ["grok-3", "grok-2-vision-1212", "grok-2-image-1212"].map((id) => listEntry("xai", id)),
    },
    "/v1/language-models": {
      models: [
        xaiModel("grok-3", {
          input_modalities: ["text"],
          prompt_text_token_price: 30_000,
          cached_prompt_text_token_price: 7500,
          prompt_image_token_price: 0,
          completion_text_token_price: 150_000,
          aliases: ["grok-3-latest"],
        }),
        xaiModel("grok-2-vision-1212", {
          input_modalities: ["text", "image"],
          prompt_text_token_price: 20_000,
          prompt_image_token_price: 20_000,
          completion_text_token_price: 100_000,
        }),
      ],
    },
  },
  chats: { "grok-3": { pictures: false }, "grok-2-vision-1212": { pictures: true } },
  dialect: "xai",
  failures: {
    "wrong-key": [
      400,
      {
        code: "Client specified an invalid argument",
        error: "Incorrect API key provided: sk***ry. You can obtain an API key from https://console.x.ai.",
      },
    ],
    "unknown-model": [
      404,
      {
        code: "Some requested entity was not found",
        error: "The model x does not exist or your team does not have access to it.",
      },
    ],
    "too-long": [
      400,
      {
        code: "Client specified an invalid argument",
        error: "This model's maximum prompt length is 131072 but the request contains 140000 tokens.",
      },
    ],
    "no-credit": [
      403,
      {
        code: "The caller does not have permission to execute the specified operation",
        error: "Your newly created team doesn't have any credits yet.",
      },
    ],
    "rate-limited": [429, { code: "Some resource has been exhausted", error: "Too many requests" }],
    overloaded: [503, { code: "The service is currently unavailable", error: "Service temporarily unavailable" }],
    "no-pictures": [
      400,
      { code: "Client specified an invalid argument", error: "Image inputs are not supported by this model." },
    ],
  },
};

const supported = (isSupported = true) => ({ supported: isSupported });

const anthropicModel = (id: string, display_name: string, more: object = {}) => ({
  type: "model",
  id,
  display_name,
  created_at: "2026-09-01T00:00:00Z",
  max_input_tokens: 1_000_000,
  max_tokens: 64_000,
  capabilities: {
    image_input: supported(),
    pdf_input: supported(),
    thinking: { ...supported(), types: { adaptive: supported(), enabled: supported(false) } },
    effort: { ...supported(), low: supported(), medium: supported(), high: supported(), max: supported(false) },
  },
  ...more,
});

const anthropicFailure = (failure: WireFailure): Refusal => {
  const { status, body } = anthropicMessagesWire.errorAnswer(failure);
  return [status, JSON.parse(body)];
};

const anthropic: ServerScript = {
  kind: "anthropic",
  path: "/v1",
  keyHeader: "x-api-key",
  documents: {
    "/v1/models?limit=1000": {
      data: [anthropicModel("claude-haiku-5-5", "Claude Haiku 5.5")],
      first_id: "claude-haiku-5-5",
      has_more: true,
      last_id: "claude-haiku-5-5",
    },
    "/v1/models?limit=1000&after_id=claude-haiku-5-5": {
      data: [anthropicModel("claude-novel-7", "Claude Novel 7")],
      has_more: false,
      last_id: "claude-novel-7",
    },
  },
  chats: { "claude-novel-7": { pictures: true }, "claude-haiku-5-5": { pictures: true } },
  dialect: "messages",
  failures: {
    "wrong-key": anthropicFailure("wrong-key"),
    "unknown-model": anthropicFailure("unknown-model"),
    "too-long": anthropicFailure("too-long"),
    "no-credit": [
      400,
      {
        type: "error",
        error: {
          type: "invalid_request_error",
          message: "Your credit balance is too low to access the Anthropic API.",
        },
      },
    ],
    "rate-limited": anthropicFailure("rate-limited"),
    overloaded: anthropicFailure("overloaded"),
  },
};

/** Servers of providers with a list of their own form, or one beside OpenAI's. */
export const ownListServers = { gemini, xai, anthropic };
