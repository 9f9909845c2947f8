import { crc32 } from 'node:zlib';

const hexLength = 8;

/** Where a digest stands; plain data. */
export interface DigestState {
  bytes: number;
  /** Null: unknown, as of a run that was followed when digests were others. */
  crc: number | null;
}

/**
 * The digest of a growing run of bytes, which can be put away and gone on with: CRC-32 (ISO 3309). Together with the
 * number of bytes it tells a longer copy of a log from another log under the same header. Both are the owner's own
 * files: nobody gains anything by forging one.
 */
export class RunDigest {
  #crc: number | null = 0;
  /** Number of bytes taken in. */
  bytes = 0;
  readonly #prefixBytes: number;
  #prefix: { bytes: number; digest: string } | null = null;

  /** @param prefixBytes of how many first bytes the digest is wanted as well; 0: of none */
  constructor(prefixBytes = 0) {
    this.#prefixBytes = prefixBytes;
  }

  static resume({ bytes, crc }: DigestState): RunDigest {
    const digest = new RunDigest();
    digest.bytes = bytes;
    digest.#crc = crc;
    return digest;
  }

  /** Of the first bytes; null: there were not that many yet. */
  get prefix(): { bytes: number; digest: string } | null {
    return this.#prefix;
  }

  update(bytes: Uint8Array): void {
    const rest = this.#prefixBytes - this.bytes;
    if (rest > 0 && bytes.length >= rest) {
      this.#add(bytes.subarray(0, rest));
      this.#prefix = { bytes: this.bytes, digest: this.digest() };
      this.#add(bytes.subarray(rest));
    } else this.#add(bytes);
  }

  /** Of all bytes so far, hex; more may follow. Empty: unknown. */
  digest(): string {
    return this.#crc === null ? '' : this.#crc.toString(16).padStart(hexLength, '0');
  }

  state(): DigestState {
    return { bytes: this.bytes, crc: this.#crc };
  }

  #add(bytes: Uint8Array): void {
    this.bytes += bytes.length;
    if (this.#crc !== null) this.#crc = crc32(bytes, this.#crc);
  }
}
