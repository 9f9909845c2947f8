import type { AlertRules } from '../../../commands/placements.ts';
import type { PlayerAlertConfig } from './player-alert.ts';
import { PlayerAlertPost, type PlayerAlertOptions } from './player-alert-post.ts';
import { loggable } from '../../loggable.ts';

export interface PlayerAlertsOptions extends PlayerAlertOptions {
  /** The keys of all such alerts in the config, also of those that another process runs. */
  configuredKeys: readonly string[];
  /** How often they poll for arrivals. */
  feedPollMs: number;
}

export const hasPlayerRules = ({ watched, banned, newPlayers }: Omit<PlayerAlertConfig, 'key'>): boolean =>
  [watched, banned, newPlayers].some((rule) => rule !== undefined);

export const isAboutPlayersOnly = ({ down, players, restart }: AlertRules): boolean =>
  [down, players, restart].every((rule) => rule === undefined);

/** The alerts about players of all channels. */
export class PlayerAlerts {
  readonly #options: PlayerAlertsOptions;
  readonly #posts = new Map<string, PlayerAlertPost>();
  readonly #timer: NodeJS.Timeout | undefined;
  #isStopped = false;
  #running: Promise<unknown> = Promise.resolve();

  constructor(configs: readonly PlayerAlertConfig[], options: PlayerAlertsOptions) {
    this.#options = options;
    this.#forgetRemoved().catch((error: unknown) => {
      options.log.warn(
        { error: loggable(error) },
        'could not delete the state of alerts about players that the config no longer has',
      );
    });
    if (options.configuredKeys.length > 0)
      this.#timer = setInterval(() => void this.run(), options.feedPollMs);
    for (const config of configs) this.start(config);
  }

  /** Adds the alerts of a channel, unless they are there already. */
  start(config: PlayerAlertConfig): void {
    if (!this.#posts.has(config.key)) this.#posts.set(config.key, new PlayerAlertPost(config, this.#options));
    void this.run();
  }

  /** Never rejects. */
  async remove(key: string): Promise<void> {
    const found = this.#posts.get(key);
    this.#posts.delete(key);
    await found?.forget();
  }

  /** Posts what is due now. Never rejects. */
  async run(): Promise<void> {
    if (this.#isStopped) return;
    this.#running = Promise.all(Array.from(this.#posts.values(), (post) => post.run()));
    await this.#running;
  }

  /** Starts nothing new. Resolves when what runs has ended. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearInterval(this.#timer);
    await this.#running;
  }

  /** Alerts that come back later start anew. */
  async #forgetRemoved(): Promise<void> {
    const { keyv, configuredKeys } = this.#options;
    const before = (await keyv.get<readonly string[]>(knownKey)) ?? [];
    if (before.join() === configuredKeys.join()) return;
    const removed = before.filter((key) => !configuredKeys.includes(key));
    if (removed.length > 0) await keyv.deleteMany(removed);
    await keyv.set(knownKey, configuredKeys);
  }
}

const knownKey = 'player alerts';
