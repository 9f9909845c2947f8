/** What bytes are read from: a `OpenedFile`, or a `FileHandle` of `node:fs/promises`. */
export interface ByteSource {
  /**
   * Reads up to `length` bytes from `position` of the file into `buffer`, from `offset` of that on.
   * @returns how many, which may be fewer than requested; 0: the file ends there
   */
  read(buffer: Buffer, offset: number, length: number, position: number): Promise<{ bytesRead: number }>;
}
