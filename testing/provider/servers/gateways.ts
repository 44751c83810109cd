import { openAiForm, type ServerScript } from "./server-script.ts";

const openRouterModel = (id: string, name: string, more: object) => ({
  id,
  canonical_slug: id,
  name,
  created: 1_760_000_000,
  description: "A model",
  context_length: 400_000,
  architecture: { input_modalities: ["text"], output_modalities: ["text"], tokenizer: "GPT", instruct_type: null },
  pricing: { prompt: "0", completion: "0" },
  top_provider: { context_length: 400_000, max_completion_tokens: 128_000, is_moderated: true },
  per_request_limits: null,
  supported_parameters: ["max_tokens", "temperature"],
  ...more,
});

const openRouter: ServerScript = {
  kind: "openai",
  path: "/api/v1",
  keyHeader: "authorization",
  documents: {
    "/api/v1/models": {
      data: [
        openRouterModel("openai/gpt-5-mini", "OpenAI: GPT-5 Mini", {
          architecture: { input_modalities: ["text", "image", "file"], output_modalities: ["text"] },
          pricing: { prompt: "0.00000025", completion: "0.000002", input_cache_read: "0.000000025", image: "0" },
          supported_parameters: ["include_reasoning", "max_tokens", "reasoning", "tools"],
          reasoning: { supported_efforts: ["high", "medium", "low", "minimal"], default_effort: "medium" },
        }),
        openRouterModel("qwen/qwen3-coder:free", "Qwen: Qwen3 Coder (free)", {
          context_length: 262_144,
          top_provider: { context_length: 131_072, max_completion_tokens: null, is_moderated: false },
        }),
        openRouterModel("openrouter/auto", "Auto Router", { pricing: { prompt: "-1", completion: "-1" } }),
        openRouterModel("google/gemini-3-flash-image", "Google: Gemini 3 Flash Image", {
          architecture: { input_modalities: ["text", "image"], output_modalities: ["image", "text"] },
        }),
        openRouterModel("google/imagen-5", "Google: Imagen 5", {
          architecture: { input_modalities: ["text"], output_modalities: ["image"] },
        }),
      ],
    },
  },
  chats: {
    "qwen/qwen3-coder:free": { pictures: false },
    "openai/gpt-5-mini": { pictures: true },
    "google/gemini-3-flash-image": { pictures: true, draws: true },
  },
  dialect: "ollama",
  failures: {
    "wrong-key": [401, { error: { message: "User not found.", code: 401 } }],
    "unknown-model": [400, { error: { message: "x is not a valid model ID", code: 400 } }],
    "too-long": [
      400,
      {
        error: {
          message:
            "This endpoint's maximum context length is 131072 tokens. However, you requested about 140000 tokens.",
          code: 400,
          metadata: { provider_name: null },
        },
      },
    ],
    "no-credit": [402, { error: { message: "Insufficient credits. Add more in the settings.", code: 402 } }],
    "rate-limited": [429, { error: { message: "Rate limit exceeded: free-models-per-min.", code: 429 } }],
    overloaded: [503, { error: { message: "Provider returned error", code: 503 } }],
    "no-pictures": [404, { error: { message: "No endpoints found that support image input", code: 404 } }],
  },
};

const togetherModel = (id: string, type: string, more: object) => ({
  id,
  object: "model",
  created: 1_760_000_000,
  type,
  running: false,
  organization: "Meta",
  license: "llama",
  context_length: 131_072,
  pricing: { hourly: 0, input: 0.88, output: 0.88, base: 0, finetune: 0 },
  ...more,
});

const together: ServerScript = {
  kind: "openai",
  path: "/v1",
  keyHeader: "authorization",
  documents: {
    "/v1/models": [
      togetherModel("meta-llama/Llama-3.3-70B-Instruct-Turbo", "chat", { display_name: "Llama 3.3 70B" }),
      togetherModel("BAAI/bge-large-en-v1.5", "embedding", { context_length: 512 }),
      togetherModel("black-forest-labs/FLUX.1-schnell", "image", { context_length: 0 }),
      togetherModel("dedicated/only", "chat", { pricing: { hourly: 4, input: 0, output: 0, base: 0, finetune: 0 } }),
    ],
  },
  chats: { "meta-llama/Llama-3.3-70B-Instruct-Turbo": { pictures: false }, "dedicated/only": { pictures: false } },
  dialect: "ollama",
  failures: {
    "wrong-key": [401, openAiForm("Invalid API key provided.", { code: "invalid_api_key" })],
    "unknown-model": [404, openAiForm("Unable to access model x.", { code: "model_not_available" })],
    "too-long": [
      422,
      openAiForm(
        "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 131073. Given: 139993 `inputs` tokens and 1024 `max_new_tokens`",
      ),
    ],
    "no-credit": [402, openAiForm("Credit limit exceeded.", { type: "credit_limit" })],
    "rate-limited": [429, openAiForm("You have reached the rate limit.", { type: "model_rate_limit" })],
    overloaded: [503, openAiForm("The server is overloaded or not ready yet.", { type: "service_unavailable" })],
    "no-pictures": [400, openAiForm("This model does not support images.")],
  },
};

const liteLlmInfo = (model_name: string, model_info: object) => ({
  model_name,
  litellm_params: { model: `openai/${model_name}` },
  model_info: { id: "e88912", db_model: false, key: model_name, ...model_info },
});

const liteLlm: ServerScript = {
  kind: "openai",
  path: "",
  keyHeader: "authorization",
  documents: {
    "/models": {
      object: "list",
      data: ["fast", "vectors", "unknown-one"].map((id) => ({
        id,
        object: "model",
        created: 1_677_610_602,
        owned_by: "openai",
      })),
    },
    "/model/info": {
      data: [
        liteLlmInfo("fast", {
          mode: "chat",
          max_tokens: 128_000,
          max_input_tokens: 272_000,
          max_output_tokens: 128_000,
          input_cost_per_token: 2.5e-7,
          output_cost_per_token: 2e-6,
          cache_read_input_token_cost: 2.5e-8,
          cache_creation_input_token_cost: null,
          supports_vision: true,
          supports_function_calling: true,
          supports_reasoning: true,
          supports_pdf_input: true,
        }),
        liteLlmInfo("vectors", { mode: "embedding", max_input_tokens: 8191, input_cost_per_token: 1e-7 }),
        liteLlmInfo("unknown-one", {
          mode: null,
          max_input_tokens: null,
          input_cost_per_token: 0,
          output_cost_per_token: 0,
          supports_vision: null,
        }),
      ],
    },
  },
  chats: { fast: { pictures: true }, "unknown-one": { pictures: false } },
  dialect: "openai",
  failures: {
    "wrong-key": [
      401,
      openAiForm("Authentication Error, Invalid proxy server token passed.", {
        type: "token_not_found_in_db",
        param: "key",
        code: "401",
      }),
    ],
    "unknown-model": [
      400,
      openAiForm(
        "/chat/completions: Invalid model name passed in model=x. Call `/v1/models` to view available models.",
        {
          type: "None",
          param: "None",
          code: "400",
        },
      ),
    ],
    "too-long": [
      400,
      openAiForm("litellm.ContextWindowExceededError: litellm.BadRequestError: the prompt has 300000 tokens", {
        type: null,
        code: "400",
      }),
    ],
    "no-credit": [
      400,
      openAiForm("Budget has been exceeded! Current cost: 10.2, Max budget: 10.0", {
        type: "budget_exceeded",
        code: "400",
      }),
    ],
    "rate-limited": [429, openAiForm("litellm.RateLimitError", { type: "throttling_error", code: "429" })],
    overloaded: [503, openAiForm("litellm.ServiceUnavailableError", { type: null, code: "503" })],
    "no-pictures": [
      400,
      openAiForm("litellm.BadRequestError: this model does not support image input", { code: "400" }),
    ],
  },
};

const azureModel = (id: string, more: object = {}) => ({
  id,
  object: "model",
  created_at: 1_760_000_000,
  status: "succeeded",
  lifecycle_status: "generally-available",
  capabilities: { fine_tune: false, inference: true, completion: false, chat_completion: true, embeddings: false },
  ...more,
});

const azure: ServerScript = {
  kind: "azure",
  path: "/openai/v1",
  keyHeader: "api-key",
  documents: {
    "/openai/v1/models": { object: "list", data: [azureModel("gpt-5-mini-2025-08-07"), azureModel("o3")] },
    "/openai/deployments?api-version=2023-03-15-preview": {
      object: "list",
      data: [
        { id: "our-chat", model: "gpt-5-mini", status: "succeeded", object: "deployment" },
        { id: "text-embedding-3-small", model: "text-embedding-3-small", status: "succeeded", object: "deployment" },
        { id: "broken", model: "gpt-5", status: "failed", object: "deployment" },
      ],
    },
  },
  chats: { "our-chat": { pictures: true } },
  dialect: "openai",
  failures: {
    "wrong-key": [
      401,
      {
        error: {
          code: "401",
          message: "Access denied due to invalid subscription key or wrong API endpoint.",
        },
      },
    ],
    "unknown-model": [
      404,
      { error: { code: "DeploymentNotFound", message: "The API deployment for this resource does not exist." } },
    ],
    "too-long": [
      400,
      openAiForm("This model's maximum context length is 272000 tokens.", { code: "context_length_exceeded" }),
    ],
    "no-credit": [
      429,
      openAiForm("You exceeded your quota.", { type: "insufficient_quota", code: "insufficient_quota" }),
    ],
    "rate-limited": [429, { error: { code: "429", message: "Requests have exceeded the token rate limit." } }],
    overloaded: [503, { error: { code: "ServiceUnavailable", message: "The service is temporarily unavailable." } }],
  },
};

/** Servers that pass calls on to the models of others. */
export const gateways = { openRouter, together, liteLlm, azure };
