/**
 * So many may go on by themselves. What hangs in the file system holds one of the few threads that Node has for files,
 * names of hosts and compression in the whole process.
 */
const mostByThemselves = 2;

/**
 * Works that are begun one after the other and of which none waits long for another: what takes longer than the patience
 * goes on by itself, and is not begun again before it has ended.
 */
export class Lanes<News> {
  readonly #patienceMs: number;
  readonly #running = new Map<string, Promise<void>>();
  #news: News[] = [];
  #failure: { error: unknown } | null = null;

  /** @param patienceMs Infinity: each is waited for */
  constructor(patienceMs: number) {
    this.#patienceMs = patienceMs;
  }

  /** Begins a work unless the former of that name is still going on, and waits for it. */
  async run(name: string, work: () => Promise<News[]>): Promise<void> {
    while (this.#running.size >= mostByThemselves) await Promise.race(this.#running.values());
    if (this.#running.has(name)) return;
    const running = this.#work(name, work);
    this.#running.set(name, running);
    if (this.#patienceMs === Infinity) {
      await running;
      return;
    }
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, this.#patienceMs);
    });
    await Promise.race([running, patience]);
    clearTimeout(timer);
  }

  /** What came of the works that have ended since the last time. @throws what one of them threw */
  take(): News[] {
    const failure = this.#failure;
    this.#failure = null;
    if (failure !== null) throw failure.error;
    const news = this.#news;
    this.#news = [];
    return news;
  }

  /** Resolves once none is going on. */
  async settled(): Promise<void> {
    await Promise.all(this.#running.values());
  }

  async #work(name: string, work: () => Promise<News[]>): Promise<void> {
    try {
      const news = await work();
      this.#news.push(...news);
    } catch (error) {
      this.#failure ??= { error };
    } finally {
      this.#running.delete(name);
    }
  }
}
