import { crc32 } from 'node:zlib';

const hexLength = 8;

/**
 * The CRC-32 (ISO 3309) of the bytes of a run, which grows while the log is read. Two files can hold copies of one run of
 * different lengths: with the number of bytes, the CRC-32 tells a longer copy from another run with the same header. A
 * checksum is enough, since the owner has no reason to forge their own logs.
 */
export class RunDigest {
  #crc = 0;
  /** Number of bytes so far. */
  bytes = 0;
  /** Digest of the first `prefixBytes` bytes; null: fewer were added, or none was requested. */
  prefix: { bytes: number; digest: string } | null = null;
  readonly #prefixBytes: number;

  /** @param prefixBytes length of a prefix whose digest is needed as well; 0: none */
  constructor(prefixBytes: number) {
    this.#prefixBytes = prefixBytes;
  }

  update(bytes: Uint8Array): void {
    const rest = this.#prefixBytes - this.bytes;
    if (rest > 0 && bytes.length >= rest) {
      this.#add(bytes.subarray(0, rest));
      this.prefix = { bytes: this.bytes, digest: this.digest() };
      this.#add(bytes.subarray(rest));
    } else this.#add(bytes);
  }

  /** Digest of all bytes so far, hex. */
  digest(): string {
    return this.#crc.toString(16).padStart(hexLength, '0');
  }

  #add(bytes: Uint8Array): void {
    this.bytes += bytes.length;
    this.#crc = crc32(bytes, this.#crc);
  }
}
