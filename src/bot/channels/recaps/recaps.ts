import { loggable } from '../../loggable.ts';
import type { DeliveryJobsOptions } from '../delivery-job.ts';
import { PlacedJobs } from '../placed-jobs.ts';
import type { RecapConfig } from './recap-config.ts';
import { RecapPost } from './recap-post.ts';

/** The keys of all recaps that the config has or had. */
const knownKey = 'recaps';

/** The weekly recaps of all guilds. Messages of recaps that left the config are edited, too. */
export class Recaps extends PlacedJobs<RecapConfig, RecapPost> {
  readonly #options: DeliveryJobsOptions;

  constructor(options: DeliveryJobsOptions) {
    const { recapNames, recapPollMs, log, configuredKeys } = options;
    super(options, recapNames && recapPollMs);
    this.#options = options;
    if (recapNames !== undefined) {
      this.#startRemoved().catch((error: unknown) => {
        log.warn({ error: loggable(error) }, 'could not read which recaps the config no longer has');
      });
    } else if (configuredKeys.length > 0) {
      log.warn('the recaps of the config are off: the bot reads a service elsewhere, which has none for it');
    }
  }

  /** Those of the config. */
  override list(): RecapConfig[] {
    return super.list().filter(({ cron }) => cron !== null);
  }

  /** Posts what is due, whether its moment was noticed or not. Never rejects. */
  async check(): Promise<void> {
    for (const post of this.jobs) post.markDue();
    await this.run();
  }

  /** Edits messages whose players were hidden, shown or forgotten. Never rejects. */
  async reword(): Promise<void> {
    for (const post of this.jobs) post.markOutdated();
    await this.run();
  }

  /** Should the bot come back to a guild, its recaps are still there, and name players. */
  protected override keepsState(): boolean {
    return true;
  }

  protected override create(config: RecapConfig): RecapPost | null {
    const { recapNames } = this.#options;
    return recapNames === undefined ? null : new RecapPost(config, { ...this.#options, recapNames });
  }

  protected override due(post: RecapPost): void {
    post.markDue();
    super.due(post);
  }

  /** Their messages stay in the channel, and name players. */
  async #startRemoved(): Promise<void> {
    const { keyv, configuredKeys } = this.#options;
    const known = (await keyv.get<readonly string[]>(knownKey)) ?? [];
    const removed = known.filter((key) => !configuredKeys.includes(key));
    for (const key of removed) this.start({ key, channelId: key.split(':')[1] ?? '', cron: null });
    const all = [...configuredKeys, ...removed];
    if (all.join() !== known.join()) await keyv.set(knownKey, all);
  }
}
