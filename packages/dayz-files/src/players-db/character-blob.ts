/** The supported layout of `Players.Data`. */
const blobVersion = 2;

/** Another layout than the supported one: the whole file would be misread. */
export class CharacterVersionError extends Error {
  override name = 'CharacterVersionError';
}

/**
 * Reads the figures of a character in players.db. Little-endian: u16 version, 3 f32 position, 2 bytes, class name (u8
 * length), u32, u32 size of the figures, u16 0, u16 count, and per figure its name (u8 length) and an f32.
 * @returns figures by the game's own names
 * @throws CharacterVersionError for another version, Error when the bytes are inconsistent
 */
export function readCharacterBlob(data: Buffer): Map<string, number> {
  const cursor = new Cursor(data);
  const version = cursor.u16();
  if (version !== blobVersion) {
    throw new CharacterVersionError(`data of version ${version}, version ${blobVersion} was expected`);
  }
  cursor.skip(3 * 4 + 2);
  cursor.skip(cursor.u8());
  cursor.skip(4);
  const end = cursor.u32() + cursor.at;
  if (end > data.length) throw new Error(`its figures end at byte ${end} of ${data.length}`);
  cursor.skip(2);
  const figures = new Map<string, number>();
  for (let left = cursor.u16(); left > 0; left--) {
    const name = cursor.text(cursor.u8());
    figures.set(name, cursor.f32());
    if (cursor.at > end) throw new Error(`its figures do not fit their size`);
  }
  return figures;
}

class Cursor {
  at = 0;
  readonly #data: Buffer;

  constructor(data: Buffer) {
    this.#data = data;
  }

  skip(bytes: number): number {
    const from = this.at;
    if (from + bytes > this.#data.length) {
      throw new Error(`it ends at byte ${this.#data.length}, ${bytes} more were expected at ${from}`);
    }
    this.at = from + bytes;
    return from;
  }

  u8(): number {
    return this.#data.readUInt8(this.skip(1));
  }

  u16(): number {
    return this.#data.readUInt16LE(this.skip(2));
  }

  u32(): number {
    return this.#data.readUInt32LE(this.skip(4));
  }

  f32(): number {
    return this.#data.readFloatLE(this.skip(4));
  }

  text(bytes: number): string {
    const from = this.skip(bytes);
    return this.#data.toString('latin1', from, from + bytes);
  }
}
