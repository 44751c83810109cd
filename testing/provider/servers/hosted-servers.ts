import { listEntry, openAiForm, type ServerScript } from "./server-script.ts";

const mistralModel = (id: string, capabilities: object) =>
  listEntry("mistralai", id, {
    capabilities: {
      completion_chat: true,
      completion_fim: false,
      function_calling: true,
      fine_tuning: false,
      vision: false,
      classification: false,
      ...capabilities,
    },
    name: id.replace("latest", "2508"),
    max_context_length: 131_072,
    aliases: [],
    deprecation: null,
    type: "base",
  });

/** Mistral names a code of its own in each error of its API, but not in those of its gateway. */
const mistralError = (message: string, type: string, code: string) => ({
  object: "error",
  message,
  type,
  param: null,
  code,
});

const mistral: ServerScript = {
  kind: "openai",
  path: "/v1",
  keyHeader: "authorization",
  documents: {
    "/v1/models": {
      object: "list",
      data: [
        mistralModel("mistral-medium-latest", { vision: true }),
        mistralModel("magistral-small-latest", { reasoning: true }),
        mistralModel("mistral-embed", { completion_chat: false, function_calling: false }),
        mistralModel("mistral-ocr-latest", { completion_chat: false, function_calling: false, ocr: true }),
      ],
    },
  },
  chats: { "magistral-small-latest": { pictures: false }, "mistral-medium-latest": { pictures: true } },
  dialect: "mistral",
  refusedField: {
    name: "stream_options",
    refusal: [
      422,
      {
        object: "error",
        message: {
          detail: [
            {
              type: "extra_forbidden",
              loc: ["body", "stream_options", "include_usage"],
              msg: "Extra inputs are not permitted",
              input: true,
            },
          ],
        },
        type: "invalid_request_error",
        param: null,
        code: null,
      },
    ],
  },
  failures: {
    "wrong-key": [401, { detail: "Unauthorized" }],
    "unknown-model": [400, mistralError("Invalid model: x", "invalid_model", "1500")],
    "too-long": [
      400,
      mistralError(
        "Prompt contains 140000 tokens and 0 draft tokens, too large for model with 131072 maximum context length",
        "invalid_request_prompt",
        "3051",
      ),
    ],
    "no-credit": [402, { detail: "You have reached your usage limit." }],
    "rate-limited": [429, mistralError("Requests rate limit exceeded", "rate_limited", "1300")],
    overloaded: [503, mistralError("Service unavailable.", "internal_server_error", "1100")],
    "no-pictures": [400, mistralError("Image input is not enabled for this model", "invalid_request_message", "3051")],
  },
};

const groq: ServerScript = {
  kind: "openai",
  path: "/openai/v1",
  keyHeader: "authorization",
  documents: {
    "/openai/v1/models": {
      object: "list",
      data: [
        listEntry("OpenAI", "openai/gpt-oss-120b", {
          active: true,
          context_window: 131_072,
          max_completion_tokens: 65_536,
        }),
        listEntry("OpenAI", "whisper-large-v3", { active: true, context_window: 448, max_completion_tokens: 448 }),
        listEntry("Meta", "llama3-70b-8192", { active: false, context_window: 8192, max_completion_tokens: 8192 }),
      ],
    },
  },
  chats: { "openai/gpt-oss-120b": { pictures: false } },
  dialect: "groq",
  failures: {
    "wrong-key": [401, openAiForm("Invalid API Key", { code: "invalid_api_key" })],
    "unknown-model": [
      404,
      openAiForm("The model `x` does not exist or you do not have access to it.", { code: "model_not_found" }),
    ],
    "too-long": [
      413,
      openAiForm("Request too large for model `x` on tokens per minute (TPM): Limit 6000, Requested 12328", {
        type: "tokens",
        code: "rate_limit_exceeded",
      }),
    ],
    "rate-limited": [429, openAiForm("Rate limit reached.", { type: "tokens", code: "rate_limit_exceeded" })],
    overloaded: [503, openAiForm("Service Unavailable", { type: "internal_server_error" })],
    "no-pictures": [400, openAiForm("messages[0].content must be a string")],
  },
};

const deepSeek: ServerScript = {
  kind: "openai",
  path: "",
  keyHeader: "authorization",
  documents: {
    "/models": {
      object: "list",
      data: ["deepseek-chat", "deepseek-reasoner"].map((id) => ({ id, object: "model", owned_by: "deepseek" })),
    },
  },
  chats: { "deepseek-chat": { pictures: false }, "deepseek-reasoner": { pictures: false } },
  dialect: "deepseek",
  failures: {
    "wrong-key": [
      401,
      openAiForm("Authentication Fails, Your api key: ****nary is invalid", {
        type: "authentication_error",
        code: "invalid_request_error",
      }),
    ],
    "unknown-model": [400, openAiForm("Model Not Exist", { code: "invalid_request_error" })],
    "too-long": [
      400,
      openAiForm("This model's maximum context length is 131072 tokens. However, you requested 140000 tokens.", {
        code: "invalid_request_error",
      }),
    ],
    "no-credit": [402, openAiForm("Insufficient Balance", { type: "unknown_error", code: "invalid_request_error" })],
    "rate-limited": [429, openAiForm("Rate limit reached", { type: "rate_limit_error" })],
    overloaded: [503, openAiForm("Service is too busy.", { type: "service_unavailable_error" })],
    "no-pictures": [
      400,
      openAiForm(
        "Failed to deserialize the JSON body into the target type: messages[1]: unknown variant `image_url`, expected `text`",
      ),
    ],
  },
};

/** Servers of providers with OpenAI's list of models. */
export const hostedServers = { mistral, groq, deepSeek };
