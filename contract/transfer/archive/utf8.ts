/** The decoder of the Encoding Standard. Browsers and Node have it, and the contract has the types of neither. */
declare const TextDecoder: new () => Utf8Decoder;

/** Decodes UTF-8 piece by piece: with `stream`, the bytes of a character at the end of a piece wait for the next one. */
export type Utf8Decoder = { decode(bytes?: Uint8Array, options?: { stream?: boolean }): string };

declare const TextEncoder: new () => { encode(text: string): Uint8Array<ArrayBuffer> };

/** Encodes a text. Lone surrogates become U+FFFD. */
export const utf8Of = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);

export const utf8Decoder = (): Utf8Decoder => new TextDecoder();
