import { appendFileSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** How far the log of each server was read, as committed. */
export type Positions = () => Promise<{ id: string; position: number }[]>;

const readEveryMs = 100;

/** Logs that grow. Their players are connected from the start; each line is a death, which changes figures. */
export class GrowingLogs {
  readonly folder: string;
  readonly #ids: readonly string[];
  /** Of each server: lines that were not seen stored, and the size of its log with each. */
  readonly #unstored = new Map<string, { writtenAt: number; size: number }[]>();
  readonly #sizes = new Map<string, number>();
  #lines = 0;

  constructor(folder: string, ids: readonly string[]) {
    this.folder = folder;
    this.#ids = ids;
    for (const id of ids) {
      const file = this.#fileOf(id);
      mkdirSync(join(folder, id), { recursive: true });
      writeFileSync(file, head());
      this.#sizes.set(id, statSync(file).size);
      this.#unstored.set(id, []);
    }
  }

  async areRead(positions: Positions): Promise<boolean> {
    const read = new Set((await positions()).map(({ id }) => id));
    return this.#ids.every((id) => read.has(id));
  }

  /**
   * Writes lines at a steady rate and adds to `late` how many milliseconds each was, once it is stored.
   * @param work goes on until this has ended as well
   * @returns how many lines wait
   */
  async write(
    rate: number,
    forSeconds: number,
    positions: Positions,
    late: number[],
    work: Promise<unknown> | null = null,
  ): Promise<number> {
    let isWorking = work !== null;
    void work?.finally(() => (isWorking = false));
    const startedAt = performance.now();
    let written = 0;
    let readAt = startedAt;
    for (;;) {
      const now = performance.now();
      const due = ((now - startedAt) / 1000) * rate;
      for (; written < due; written += 1) this.#append();
      if (now >= readAt) {
        readAt += Math.ceil((now - readAt + 1) / readEveryMs) * readEveryMs;
        this.#saw(await positions(), late);
      }
      if (now - startedAt >= forSeconds * 1000 && !isWorking) return this.waiting().length;
      await sleep(5);
    }
  }

  /** For how many milliseconds each line waits that is not stored. */
  waiting(): number[] {
    const now = performance.now();
    return [...this.#unstored.values()].flat().map(({ writtenAt }) => now - writtenAt);
  }

  #append(): void {
    const id = this.#ids[this.#lines % this.#ids.length] as string;
    this.#lines += 1;
    const line = deathLine(this.#lines);
    const size = (this.#sizes.get(id) as number) + line.length;
    appendFileSync(this.#fileOf(id), line);
    this.#sizes.set(id, size);
    this.#unstored.get(id)?.push({ writtenAt: performance.now(), size });
  }

  #saw(read: Awaited<ReturnType<Positions>>, late: number[]): void {
    const now = performance.now();
    for (const { id, position } of read) {
      const lines = this.#unstored.get(id) ?? [];
      const left = lines.findIndex(({ size }) => size > position);
      for (const { writtenAt } of lines.splice(0, left === -1 ? lines.length : left))
        late.push(now - writtenAt);
    }
  }

  #fileOf(id: string): string {
    return join(this.folder, id, 'DayZServer_x64.ADM');
  }
}

const timeOf = (at: number): string => new Date(at).toISOString().slice(11, 19);
const idOf = (player: number): string => `${`${player}`.padStart(43, 'x')}=`;
const head = (): string => {
  const now = Date.now();
  const players = Array.from(
    { length: 20 },
    (_, at) => `${timeOf(now)} | Player "P${at}" is connected (id=${idOf(at)})\n`,
  );
  const day = new Date(now).toISOString().slice(0, 10);
  return `\n${'*'.repeat(78)}\nAdminLog started on ${day} at ${timeOf(now)}\n\n${players.join('')}`;
};
const deathLine = (at: number): string =>
  `${timeOf(Date.now())} | Player "P${at % 20}" (DEAD) (id=${idOf(at % 20)} pos=<1.0, 2.0, 3.0>) died. Stats> Water: 1 Energy: 1 Bleed sources: 0\n`;
