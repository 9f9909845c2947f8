import type { Ports } from '../../../commands/ports.ts';
import type { PostStatus } from '../../../commands/placements.ts';
import { onCron } from '../../../process/cron.ts';
import { loggable } from '../../loggable.ts';
import type { RecapConfig } from './recap-config.ts';
import { RecapPost, type RecapOptions } from './recap-post.ts';

export interface RecapsOptions extends Omit<RecapOptions, 'recapNames'> {
  /** Left out: the bot reads a service that has no recaps. */
  recapNames?: Ports['recapNames'];
  /** The keys of all recaps in the config, also of those that another process runs. */
  configuredKeys: readonly string[];
  /** How often what failed, or waits for its guild, is tried again. */
  recapPollMs: number;
}

/** The keys of all recaps that the config has or had. */
const knownKey = 'recaps';

/** The weekly recaps of all guilds. Messages of recaps that left the config are edited, too. */
export class Recaps {
  readonly #options: RecapsOptions;
  readonly #recaps = new Map<string, { post: RecapPost; stopCron: () => void }>();
  readonly #timer: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(configs: readonly RecapConfig[], options: RecapsOptions) {
    const { recapNames, recapPollMs, log } = options;
    this.#options = options;
    if (recapNames !== undefined) {
      this.#timer = setInterval(() => void this.run(), recapPollMs);
      this.#startRemoved().catch((error: unknown) => {
        log.warn({ error: loggable(error) }, 'could not read which recaps the config no longer has');
      });
    } else if (configs.length > 0) {
      log.warn('the recaps of the config are off: the bot reads a service elsewhere, which has none for it');
    }
    for (const config of configs) this.#create(config);
    void this.run();
  }

  /** Adds recaps, unless they are there already. */
  start(config: RecapConfig): void {
    this.#create(config);
    void this.run();
  }

  /** Ends recaps and deletes their state. Never rejects. */
  async remove(key: string): Promise<void> {
    const found = this.#recaps.get(key);
    this.#recaps.delete(key);
    found?.stopCron();
    await found?.post.forget();
  }

  /** Those of the config. */
  list(): RecapConfig[] {
    return Array.from(this.#recaps.values(), ({ post }) => post.config).filter(({ cron }) => cron !== null);
  }

  /** Null: the recaps work, or do not exist. */
  status(key: string): PostStatus | null {
    const reason = this.#recaps.get(key)?.post.failure() ?? null;
    return reason === null ? null : { state: 'failing', reason };
  }

  /** Posts and edits what is to be. Never rejects. */
  async run(): Promise<void> {
    if (this.#isStopped) return;
    await Promise.all(Array.from(this.#recaps.values(), ({ post }) => post.run()));
  }

  /** Posts what is due, whether its moment was noticed or not. Never rejects. */
  async check(): Promise<void> {
    for (const { post } of this.#recaps.values()) post.markDue();
    await this.run();
  }

  /** Edits messages whose players were hidden, shown or forgotten. Never rejects. */
  async reword(): Promise<void> {
    for (const { post } of this.#recaps.values()) post.markOutdated();
    await this.run();
  }

  /** Starts nothing new. Resolves when what runs has ended. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearInterval(this.#timer);
    for (const { stopCron } of this.#recaps.values()) stopCron();
    await Promise.all(Array.from(this.#recaps.values(), ({ post }) => post.settle()));
  }

  /** Their messages stay in the channel, and name players. */
  async #startRemoved(): Promise<void> {
    const { keyv, configuredKeys } = this.#options;
    const known = (await keyv.get<readonly string[]>(knownKey)) ?? [];
    const removed = known.filter((key) => !configuredKeys.includes(key));
    for (const key of removed) this.#create({ key, channelId: key.split(':')[1] ?? '', cron: null });
    const all = [...configuredKeys, ...removed];
    if (all.join() !== known.join()) await keyv.set(knownKey, all);
    await this.run();
  }

  #create(config: RecapConfig): void {
    const { recapNames, now } = this.#options;
    if (recapNames === undefined || this.#isStopped || this.#recaps.has(config.key)) return;
    const post = new RecapPost(config, { ...this.#options, recapNames });
    const due = (): void => {
      post.markDue();
      void this.run();
    };
    const stopCron = config.cron === null ? () => undefined : onCron(config.cron, due, now);
    this.#recaps.set(config.key, { post, stopCron });
  }
}
