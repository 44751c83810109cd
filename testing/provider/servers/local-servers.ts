import { openAiForm, type ServerScript } from "./server-script.ts";

const listOf = (owner: string, ...models: object[]) => ({
  object: "list",
  data: models.map((model) => ({ object: "model", created: 1_760_000_000, owned_by: owner, ...model })),
});

const ollamaDetails = { format: "gguf", family: "qwen3", families: ["qwen3"], parameter_size: "8.2B" };
const ollamaTag = (name: string) => ({
  name,
  model: name,
  size: 5_225_388_164,
  digest: "500a",
  details: ollamaDetails,
});
const ollamaNames = ["qwen3:8b", "qwen3-vl:8b", "nomic-embed-text:latest", "gpt-oss:120b-cloud"];

const ollama: ServerScript = {
  kind: "ollama",
  path: "/v1",
  documents: {
    "/api/version": { version: "0.15.5" },
    "/api/tags": { models: ollamaNames.map(ollamaTag) },
    "/v1/models": listOf("library", ...ollamaNames.map((id) => ({ id }))),
    "/api/ps": { models: [{ ...ollamaTag("qwen3:8b"), size_vram: 5_333_539_264, context_length: 4096 }] },
    "/api/show qwen3:8b": {
      capabilities: ["completion", "tools", "thinking"],
      details: ollamaDetails,
      model_info: { "qwen3.context_length": 40_960 },
    },
    "/api/show qwen3-vl:8b": {
      capabilities: ["completion", "vision", "tools"],
      parameters: "temperature                    1\nnum_ctx                        16384",
      details: ollamaDetails,
      model_info: { "qwen3vl.context_length": 262_144 },
    },
    "/api/show nomic-embed-text:latest": { capabilities: ["embedding"], details: ollamaDetails },
    "/api/show gpt-oss:120b-cloud": {
      capabilities: ["completion", "tools", "thinking"],
      details: { ...ollamaDetails, family: "gptoss" },
      remote_host: "https://ollama.com:443",
    },
  },
  chats: { "qwen3:8b": { pictures: false }, "qwen3-vl:8b": { pictures: true } },
  dialect: "ollama",
  failures: {
    "unknown-model": [404, openAiForm('model "x" not found, try pulling it first', { type: "api_error" })],
    overloaded: [503, openAiForm("server busy, please try again. maximum pending requests exceeded")],
    "no-pictures": [400, openAiForm("this model does not support image input", { type: "api_error" })],
  },
};

const lmStudioModel = (id: string, more: object) => ({
  id,
  object: "model",
  publisher: "lmstudio-community",
  compatibility_type: "gguf",
  quantization: "Q4_K_M",
  state: "not-loaded",
  max_context_length: 131_072,
  ...more,
});

const lmStudio: ServerScript = {
  kind: "openai",
  path: "/v1",
  keyHeader: "authorization",
  documents: {
    "/v1/models": listOf(
      "organization_owner",
      { id: "qwen2-vl-7b-instruct" },
      { id: "meta-llama-3.1-8b-instruct" },
      { id: "text-embedding-nomic-embed-text-v1.5" },
    ),
    "/api/v0/models": {
      object: "list",
      data: [
        lmStudioModel("qwen2-vl-7b-instruct", {
          type: "vlm",
          arch: "qwen2_vl",
          state: "loaded",
          loaded_context_length: 8192,
          capabilities: ["tool_use"],
        }),
        lmStudioModel("meta-llama-3.1-8b-instruct", { type: "llm", arch: "llama" }),
        lmStudioModel("text-embedding-nomic-embed-text-v1.5", { type: "embeddings", max_context_length: 2048 }),
      ],
    },
  },
  chats: { "qwen2-vl-7b-instruct": { pictures: true }, "meta-llama-3.1-8b-instruct": { pictures: false } },
  dialect: "openai",
  failures: {
    "wrong-key": [401, openAiForm("Malformed LM Studio API token provided.", { code: "invalid_api_key" })],
    "unknown-model": [404, openAiForm('Model "x" not found.', { code: "model_not_found", param: "model" })],
    "too-long": [
      400,
      {
        error:
          "The number of tokens to keep from the initial prompt is greater than the context length (n_keep: 13055>= n_ctx: 4096). Try to load the model with a larger context length, or provide a shorter input.",
      },
    ],
    "no-pictures": [400, { error: "Model does not support images. Please use a model that does." }],
  },
};

const llamaProps = {
  default_generation_settings: { n_ctx: 8192, params: { temperature: 0.8 } },
  total_slots: 4,
  modalities: { vision: true, audio: false },
  chat_template_caps: { supports_tools: true, supports_system_role: true },
};

const llamaFailures: ServerScript["failures"] = {
  "wrong-key": [401, { error: { code: 401, message: "Invalid API Key", type: "authentication_error" } }],
  "too-long": [
    400,
    {
      error: {
        code: 400,
        message: "the request exceeds the available context size, try increasing it",
        type: "exceed_context_size_error",
        n_prompt_tokens: 9000,
        n_ctx: 8192,
      },
    },
  ],
  overloaded: [503, { error: { code: 503, message: "Loading model", type: "unavailable_error" } }],
  "no-pictures": [
    500,
    {
      error: {
        code: 500,
        message: "image input is not supported - hint: if this is unexpected, you may need to provide the mmproj",
        type: "server_error",
      },
    },
  ],
};

const llamaCpp: ServerScript = {
  kind: "openai",
  path: "/v1",
  keyHeader: "authorization",
  documents: {
    "/v1/models": {
      models: [{ name: "gemma-3-4b-it.gguf", model: "gemma-3-4b-it.gguf", capabilities: ["completion", "multimodal"] }],
      ...listOf("llamacpp", {
        id: "gemma-3-4b-it.gguf",
        meta: { n_vocab: 262_144, n_ctx_train: 131_072, n_embd: 2560 },
      }),
    },
    "/props": llamaProps,
  },
  chats: { "gemma-3-4b-it.gguf": { pictures: true } },
  dialect: "llama-cpp",
  failures: llamaFailures,
};

const routed = (id: string, value: string, inputs: string[]) => ({
  id,
  in_cache: true,
  status: { value, args: ["llama-server", "--ctx-size", "8192"] },
  architecture: { input_modalities: inputs, output_modalities: ["text"] },
});

const llamaRouter: ServerScript = {
  kind: "openai",
  path: "/v1",
  documents: {
    "/v1/models": listOf(
      "llamacpp",
      routed("ggml-org/gemma-3-4b-it-GGUF:Q4_K_M", "loaded", ["text", "image"]),
      routed("ggml-org/gpt-oss-20b-GGUF:MXFP4", "unloaded", ["text"]),
    ),
    "/props?model=ggml-org%2Fgemma-3-4b-it-GGUF%3AQ4_K_M&autoload=false": llamaProps,
  },
  chats: {
    "ggml-org/gemma-3-4b-it-GGUF:Q4_K_M": { pictures: true },
    "ggml-org/gpt-oss-20b-GGUF:MXFP4": { pictures: false },
  },
  dialect: "openai",
  failures: {
    ...llamaFailures,
    "unknown-model": [400, { error: { code: 400, message: "model 'x' not found", type: "invalid_request_error" } }],
  },
};

const vllm: ServerScript = {
  kind: "openai",
  path: "/v1",
  keyHeader: "authorization",
  documents: {
    "/v1/models": listOf("vllm", {
      id: "Qwen/Qwen3-32B",
      root: "Qwen/Qwen3-32B",
      parent: null,
      max_model_len: 32_768,
      permission: [{ id: "modelperm-1", object: "model_permission", allow_sampling: true }],
    }),
  },
  chats: { "Qwen/Qwen3-32B": { pictures: false } },
  dialect: "ollama",
  failures: {
    "wrong-key": [401, { error: "Unauthorized" }],
    "unknown-model": [
      404,
      { error: { message: "The model `x` does not exist.", type: "NotFoundError", param: "model", code: 404 } },
    ],
    "too-long": [
      400,
      {
        error: {
          message: "This model's maximum context length is 32768 tokens. However, your request has 40000 input tokens.",
          type: "BadRequestError",
          param: null,
          code: 400,
        },
      },
    ],
    overloaded: [503, { error: { message: "Service Unavailable", type: "ServiceUnavailableError", code: 503 } }],
    "no-pictures": [
      400,
      {
        error: {
          message: "At most 0 image(s) may be provided in one prompt.",
          type: "BadRequestError",
          param: null,
          code: 400,
        },
      },
    ],
  },
};

/** Servers that people run themselves. */
export const localServers = { ollama, lmStudio, llamaCpp, llamaRouter, vllm };
