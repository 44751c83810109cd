/** Yields the pieces of a stream, and cancels it when the iteration ends. Not all browsers iterate over streams. */
export async function* iterateStream<Piece>(stream: ReadableStream<Piece>): AsyncGenerator<Piece> {
  const reader = stream.getReader();
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value;
  } finally {
    await reader.cancel().catch(() => {});
  }
}
