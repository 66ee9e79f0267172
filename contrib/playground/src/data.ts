// Bytes, and JSON that may have anything in it.

export type Bytes = Uint8Array<ArrayBuffer>;

/** All bytes of a stream; more than `most` are refused before they are read. */
export async function collected(stream: ReadableStream<Bytes>, most: number, refused: Error): Promise<Bytes> {
  const parts: Bytes[] = [];
  const reader = stream.getReader();
  let size = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    size += part.value.length;
    if (size > most) {
      await reader.cancel();
      throw refused;
    }
    parts.push(part.value);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

export function ofBase64(text: string): Bytes {
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
}

export const record = (value: unknown): Record<string, unknown> =>
  typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
