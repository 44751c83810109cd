/** Input of a tool that has no result. `message`: a sentence for the model, which contains nothing of the server. */
export class ToolInputError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "ToolInputError";
  }
}
