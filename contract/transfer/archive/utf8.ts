/** The decoder of the Encoding Standard. Browsers and Node have it, and the contract has the types of neither. */
declare const TextDecoder: new () => Utf8Decoder;

/** Decodes UTF-8 piece by piece: with `stream`, the bytes of a character at the end of a piece wait for the next one. */
export type Utf8Decoder = { decode(bytes?: Uint8Array, options?: { stream?: boolean }): string };

export const utf8Decoder = (): Utf8Decoder => new TextDecoder();
