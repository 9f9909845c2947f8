import { hash as hashOnce } from 'node:crypto';

const chainBytes = 32;
const blockBytes = 16 * 1024;

/** A backlog has tens of thousands of runs, one after the other: memory anew for each would pile up. */
const spareBlocks: Buffer[] = [];
const maxSpareBlocks = 4;

/** Where a digest stands; plain data. */
export interface DigestState {
  bytes: number;
  /** Base64: the chained value of the whole blocks, then what has come of the next. */
  block: string;
}

/**
 * The digest of a growing run of bytes, which can be put away and gone on with (an ordinary hash cannot): each block of
 * 16 KiB is hashed behind the hash of all before it. BLAKE2b, cut to 32 bytes.
 */
export class RunDigest {
  readonly #block = spareBlocks.pop() ?? Buffer.alloc(chainBytes + blockBytes);
  #filled = chainBytes;
  /** Number of bytes taken in. */
  bytes = 0;

  static resume({ bytes, block }: DigestState): RunDigest {
    const digest = new RunDigest();
    digest.bytes = bytes;
    digest.#filled = digest.#block.write(block, 'base64');
    return digest;
  }

  update(bytes: Uint8Array): void {
    this.bytes += bytes.length;
    for (let start = 0; start < bytes.length;) {
      const part = bytes.subarray(start, start + this.#block.length - this.#filled);
      this.#block.set(part, this.#filled);
      this.#filled += part.length;
      start += part.length;
      if (this.#filled < this.#block.length) return;
      hash(this.#block).copy(this.#block, 0, 0, chainBytes);
      this.#filled = chainBytes;
    }
  }

  /** Of all bytes so far, hex; more may follow. */
  digest(): string {
    return hash(this.#block.subarray(0, this.#filled)).toString('hex', 0, chainBytes);
  }

  /** Lets another digest have this one's memory; it is not to be used any more. */
  release(): void {
    if (spareBlocks.length < maxSpareBlocks) spareBlocks.push(this.#block.fill(0, 0, chainBytes));
  }

  state(): DigestState {
    return { bytes: this.bytes, block: this.#block.toString('base64', 0, this.#filled) };
  }
}

function hash(bytes: Uint8Array): Buffer {
  return hashOnce('blake2b512', bytes, 'buffer');
}
