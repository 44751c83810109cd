import { describe, expect, test, vi } from "vitest";
import { errorFromEvent, errorFromResponse } from "./provider-errors.ts";

describe("errors of a provider", () => {
  test.each([
    [401, { error: { code: "invalid_api_key", type: "invalid_request_error" } }, "assistant-misconfigured"],
    [403, { error: { type: "permission_error" } }, "assistant-misconfigured"],
    [404, { error: { code: "model_not_found" } }, "assistant-model-gone"],
    [429, { error: { code: "rate_limit_exceeded", type: "tokens" } }, "assistant-busy"],
    [429, { error: { code: "insufficient_quota", type: "insufficient_quota" } }, "assistant-no-credit"],
    [402, "", "assistant-no-credit"],
    [429, "not JSON", "assistant-busy"],
    [529, { type: "error", error: { type: "overloaded_error" } }, "assistant-busy"],
    [503, "", "assistant-busy"],
    [500, { error: { type: "server_error" } }, "assistant-failed"],
    [502, "<html>Bad gateway</html>", "assistant-failed"],
    [413, { error: { type: "request_too_large" } }, "assistant-too-long"],
    [400, { error: { code: "context_length_exceeded" } }, "assistant-too-long"],
    [400, { error: { type: "invalid_request_error", message: "prompt is too long: 3 > 2" } }, "assistant-too-long"],
    [
      400,
      { object: "error", message: "This model's maximum context length is 4096 tokens.", code: 400 },
      "assistant-too-long",
    ],
    [400, { error: { type: "exceed_context_size_error", code: 400 } }, "assistant-too-long"],
    [400, { error: { code: "content_filter" } }, "assistant-refused"],
    [400, { error: { type: "invalid_request_error", message: "max_tokens: must be positive" } }, "assistant-unsuited"],
    [400, { error: { type: "invalid_request_error", message: "messages.3.content: is empty" } }, "assistant-failed"],
    [400, { error: { type: "invalid_request_error", param: "temperature" } }, "assistant-unsuited"],
    [500, { error: { type: "invalid_request_error", param: "temperature" } }, "assistant-failed"],
    [400, { error: "model is required" }, "assistant-failed"],
    [308, "", "assistant-misconfigured"],
    [200, { error: { code: 429, message: "busy" } }, "assistant-busy"],
    [418, [], "assistant-failed"],
    [
      404,
      { error: { message: 'model "x" not found, try pulling it first', type: "api_error" } },
      "assistant-model-gone",
    ],
    [
      404,
      { error: { message: "The model `x` does not exist.", type: "NotFoundError", code: 404 } },
      "assistant-model-gone",
    ],
    [400, { error: { message: "Model Not Exist", type: "invalid_request_error" } }, "assistant-model-gone"],
    [400, { error: { message: "x is not a valid model ID", code: 400 } }, "assistant-model-gone"],
    [404, { error: { message: "No endpoints found for a/b.", code: 404 } }, "assistant-model-gone"],
    [
      400,
      { object: "error", message: "Invalid model: x", type: "invalid_model", code: "1500" },
      "assistant-model-gone",
    ],
    [400, { error: { message: "/chat/completions: Invalid model name passed in model=x." } }, "assistant-model-gone"],
    [
      404,
      { error: { code: "DeploymentNotFound", message: "The API deployment does not exist." } },
      "assistant-model-gone",
    ],
    [404, { error: { message: "Unable to access model x.", code: "model_not_available" } }, "assistant-model-gone"],
    [400, [{ error: { code: 404, message: "models/x is not found for API version v1main" } }], "assistant-model-gone"],
    [400, { code: "invalid-argument", error: "Incorrect API key provided: xa***ab." }, "assistant-misconfigured"],
    [401, { detail: "Unauthorized" }, "assistant-misconfigured"],
    [
      400,
      { error: { type: "invalid_request_error", message: "Your credit balance is too low to" } },
      "assistant-no-credit",
    ],
    [403, { error: "Your newly created team doesn't have any credits yet." }, "assistant-no-credit"],
    [429, { error: "Your team x has either used all available credits or reached its limit" }, "assistant-no-credit"],
    [429, { error: { code: null, type: "insufficient_quota" } }, "assistant-no-credit"],
    [400, { error: { code: "billing_hard_limit_reached" } }, "assistant-no-credit"],
    [
      400,
      { error: { type: "invalid_request_error", message: "You have reached your specified API usage limits." } },
      "assistant-no-credit",
    ],
    [403, { error: { message: "Key limit exceeded (total limit). Manage it", code: 403 } }, "assistant-no-credit"],
    [200, { error: { message: "This request requires more credits, or fewer max_tokens." } }, "assistant-no-credit"],
    [403, { code: 30001, message: "Sorry, your account balance is insufficient" }, "assistant-no-credit"],
    [429, { error: { code: "1113", message: "余额不足或无可用资源包,请充值。" } }, "assistant-no-credit"],
    [429, { error: { code: 429, message: "You exceeded your current quota", status: "X" } }, "assistant-busy"],
    [402, { error: { message: "Insufficient Balance", code: "invalid_request_error" } }, "assistant-no-credit"],
    [400, { error: "The number of tokens to keep is greater than the context length" }, "assistant-too-long"],
    [400, { error: "Trying to keep the first 7 tokens when context the overflows" }, "assistant-too-long"],
    [400, { error: "This model's maximum prompt length is 10 but the request contains 11" }, "assistant-too-long"],
    [422, { error: "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4" }, "assistant-too-long"],
    [400, { error: { message: "litellm.ContextWindowExceededError: …", code: "400" } }, "assistant-too-long"],
    [413, { error: { message: "Request too large", code: "rate_limit_exceeded" } }, "assistant-too-long"],
    [422, { message: { detail: [{ loc: ["body", "stream_options"] }] } }, "assistant-unsuited"],
    [400, { detail: [{ loc: ["body", "temperature"], msg: "…" }] }, "assistant-unsuited"],
    [400, { error: { message: "The parameter of the model is invalid" } }, "assistant-failed"],
    [500, { error: { message: "the model was not found in memory" } }, "assistant-failed"],
  ])("a response of status %i with body %j becomes %s", (status, body, code) => {
    const error = errorFromResponse(status, {}, typeof body === "string" ? body : JSON.stringify(body));
    expect([error.code, error.status]).toEqual([code, status]);
  });

  test.each([
    [{ type: "error", code: "insufficient_quota", message: "You exceeded your current quota", param: null }],
    [{ type: "error", error: { type: "insufficient_quota", code: "insufficient_quota", message: "…" } }],
    [{ type: "error", error: { type: "invalid_request_error", message: "Your credit balance is too low to" } }],
    [{ error: { code: 402, message: "Insufficient credits" } }],
  ])("used-up credit is recognised in an event of a stream: %j", (event) => {
    expect(errorFromEvent(event).code).toBe("assistant-no-credit");
  });

  test("a provider's error allows a retry if the provider failed, and the next model unless it refused the prompt", () => {
    const told = (status: number, code = "") => {
      const { isRetryable, isForNextModel, trouble } = errorFromResponse(status, {}, `{"error":{"code":"${code}"}}`);
      return { isRetryable, isForNextModel, trouble };
    };
    const busy = { isRetryable: true, isForNextModel: true, trouble: "provider" };
    for (const status of [408, 429, 500, 502, 503, 504, 529]) expect(told(status)).toEqual(busy);
    expect(told(429, "insufficient_quota")).toEqual({ ...busy, isRetryable: false });
    expect(told(404, "model_not_found")).toEqual({ isRetryable: false, isForNextModel: true, trouble: "model" });
    for (const status of [401, 403]) expect(told(status)).toEqual({ ...busy, isRetryable: false });
    expect(told(404)).toEqual({ isRetryable: false, isForNextModel: true, trouble: "model" });
    expect(told(400, "unsupported_value").trouble).toBe("model");
    for (const status of [400, 422]) {
      expect(told(status)).toEqual({ isRetryable: false, isForNextModel: true, trouble: "prompt" });
    }
    expect(told(400, "content_filter")).toEqual({
      isRetryable: false,
      isForNextModel: false,
      trouble: "prompt",
    });
  });

  test.each([
    [{ param: "input[2].content[0].image_url", code: "invalid_value" }, "input.2.content.0"],
    [{ param: "messages[0].content[11]", code: null }, "messages.0.content.11"],
    [{ param: "messages.[1].content.[3].type", code: "invalid_value" }, "messages.1.content.3"],
    [{ message: "messages.2.content.0.pdf.source.base64.data: The PDF is not valid." }, "messages.2.content.0"],
    [{ message: "messages.3.content: is empty" }, undefined],
    [{ message: "Words about messages.2.content.0" }, undefined],
    [{ param: "tools[2].content[0]" }, undefined],
  ])("the error %j refuses the part %s of a prompt", (error, part) => {
    const parsed = errorFromResponse(400, {}, JSON.stringify({ error: { type: "invalid_request_error", ...error } }));
    expect([parsed.code, parsed.part, parsed.isAboutFile]).toEqual(["assistant-failed", part, false]);
  });

  test.each(["invalid_image", "image_parse_error", "image_too_small", "empty_image_file", "invalid_file"])(
    "the error code %s is about a file, also in an event, and neither a retry nor a pause helps",
    (code) => {
      const body = { error: { code, type: "invalid_request_error", message: "Words", param: null } };
      for (const error of [errorFromResponse(400, {}, JSON.stringify(body)), errorFromEvent(body)]) {
        expect(error).toMatchObject({ code: "assistant-failed", providerCode: code, isAboutFile: true });
        expect([error.isRetryable, error.isForNextModel, error.trouble]).toEqual([false, true, "prompt"]);
      }
    },
  );

  test.each([
    [400, { error: { message: "this model does not support image input", type: "api_error" } }],
    [500, { error: { message: "image input is not supported - hint: you may need to provide the mmproj" } }],
    [400, { error: "Model does not support images. Please use a model that does." }],
    [400, { error: { message: "At most 0 image(s) may be provided in one prompt.", type: "BadRequestError" } }],
    [404, { error: { message: "No endpoints found that support image input", code: 404 } }],
    [422, { error: { message: "messages[0]: unknown variant `image_url`, expected `text`" } }],
    [400, { error: { message: "messages[0].content must be a string" } }],
    [400, { object: "error", message: "Image input is not enabled for this model" }],
  ])("a status %i with %j refuses the pictures of a prompt", (status, body) => {
    const { code, isAboutFile, trouble } = errorFromResponse(status, {}, JSON.stringify(body));
    expect([code, isAboutFile, trouble]).toEqual(["assistant-failed", true, "prompt"]);
  });

  test.each([
    [{ "retry-after": "20" }, 20_000],
    [{ "retry-after": "0" }, 0],
    [{ "retry-after": "Sat, 21 Nov 2026 07:00:30 GMT" }, 30_000],
    [{ "retry-after": "Sat, 21 Nov 2026 06:00:00 GMT" }, 0],
    [{ "retry-after": "20", "retry-after-ms": "1500.5" }, 1500.5],
    [{ "retry-after": "soon" }, undefined],
    [{ "retry-after": "-5" }, undefined],
    [{}, undefined],
  ])("the headers %j ask to wait %s ms", (headers, ms) => {
    vi.useFakeTimers({ now: Date.UTC(2026, 10, 21, 7, 0, 0), toFake: ["Date"] });
    try {
      expect(errorFromResponse(429, headers, "").retryAfterMs).toBe(ms);
    } finally {
      vi.useRealTimers();
    }
  });

  test.each([
    [{ code: "unsupported_value", param: "temperature" }, "temperature"],
    [{ code: "unsupported_parameter", param: "reasoning.effort" }, "reasoning.effort"],
    [{ code: "unknown_parameter", param: "stream_options.include_usage" }, "stream_options.include_usage"],
    [{ message: "`temperature` is deprecated for this model." }, "temperature"],
    [{ message: '"thinking.type.enabled" is not supported for this model.' }, "thinking.type.enabled"],
    [{ message: "max_tokens: 64000 > 8192, which is the maximum allowed number of output tokens" }, "max_tokens"],
    [{ message: "This model does not support assistant message prefill. The conversation must end so." }, "prefill"],
  ])("a status 400 with %j names the field of the model's settings that the provider refuses", (details, name) => {
    const body = JSON.stringify({ error: { type: "invalid_request_error", ...details } });
    const { code, field, trouble, isRetryable, isForNextModel, message } = errorFromResponse(400, {}, body);
    expect({ code, field, trouble, isRetryable, isForNextModel }).toEqual({
      code: "assistant-unsuited",
      field: name,
      trouble: "model",
      isRetryable: false,
      isForNextModel: true,
    });
    expect(message).toContain(`field ${name}`);
  });

  test.each(["canary", "max_tokens.Canary", "messages.0.canary", "temperature; canary", "x".repeat(1000)])(
    "a parameter that is no field of a model's settings is dropped from an error: %s",
    (param) => {
      for (const error of [{ param }, { message: `${param}: refused` }, { message: `\`${param}\` refused` }]) {
        const { field, message } = errorFromResponse(400, {}, JSON.stringify({ error }));
        expect([field, message]).toEqual([undefined, "assistant-failed, status 400"]);
      }
    },
  );

  describe("errors of Gemini in an array", () => {
    const refuse = (status: number, error: object) =>
      errorFromResponse(status, {}, JSON.stringify([{ error: { code: status, ...error } }]));
    const invalid = { status: "INVALID_ARGUMENT" };

    test.each([
      [500, { status: "INTERNAL" }, "assistant-failed, status 500, INTERNAL"],
      [503, { status: "UNAVAILABLE" }, "assistant-busy, status 503, UNAVAILABLE"],
      [429, { status: "RESOURCE_EXHAUSTED" }, "assistant-busy, status 429, RESOURCE_EXHAUSTED"],
      [404, { status: "NOT_FOUND" }, "assistant-misconfigured, status 404, NOT_FOUND"],
      [403, { status: "PERMISSION_DENIED" }, "assistant-misconfigured, status 403, PERMISSION_DENIED"],
      [
        400,
        { ...invalid, message: "Request contains an invalid argument." },
        "assistant-failed, status 400, INVALID_ARGUMENT",
      ],
      [
        400,
        { ...invalid, message: "The input token count (9) exceeds the maximum number of tokens allowed (8)." },
        "assistant-too-long, status 400, INVALID_ARGUMENT",
      ],
      [
        400,
        { ...invalid, details: [{ locale: "en-US" }, null, { reason: "API_KEY_INVALID" }] },
        "assistant-misconfigured, status 400, API_KEY_INVALID",
      ],
      [
        400,
        { ...invalid, message: 'Invalid JSON payload received. Unknown name "stream_options": Cannot find field.' },
        "assistant-unsuited, status 400, INVALID_ARGUMENT, field stream_options",
      ],
    ])("Gemini's status %i with %j becomes %s", (status, error, message) => {
      expect(refuse(status, error).message).toBe(message);
    });

    test("Gemini's error contains nothing of a request that it echoes", () => {
      const canary = "AIza-Canary";
      const details = [{ reason: canary, metadata: { key: canary } }];
      const named = `Invalid JSON payload received. Unknown name "${canary}": Cannot find field.`;
      const error = refuse(400, { status: canary, details, message: named });
      expect(JSON.stringify([error, error.message, error.stack])).not.toContain("Canary");
      expect(error.message).toBe("assistant-failed, status 400");
    });
  });

  test("a provider's error contains nothing of a request that it echoes", () => {
    const canary = "sk-canary-1234";
    const body = {
      error: {
        code: canary,
        type: `Bearer ${canary}`,
        message: canary,
        param: canary,
        headers: { authorization: canary },
      },
    };
    const error = errorFromResponse(400, { "x-echo": canary }, JSON.stringify(body));
    expect(JSON.stringify([error, error.message, error.stack])).not.toContain("canary");
    expect(errorFromResponse(400, {}, '{"error":{"code":"some_new_word"}}').message).toBe(
      "assistant-failed, status 400, some_new_word",
    );
  });
});
