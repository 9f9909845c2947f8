import type { Logger } from 'pino';
import type { Deaths } from '../../../commands/ports/ports.ts';
import type { FeedView } from '../../../embeds/kill-feed.ts';
import { fit } from '../../../embeds/limits.ts';
import type { Clock } from '../../../process/clock.ts';
import type { GuildContext } from '../placed-config.ts';
import { nonceOf } from '../sender.ts';
import { DeathAges } from './death-ages.ts';
import { readDue } from './due-deaths.ts';
import type { FeedConfig } from './feed-config.ts';
import type { FeedState } from './feed-state.ts';
import { nextMessage } from './next-message.ts';
import { count } from '../../../process/count.ts';

export interface FeedQueueOptions extends Clock {
  /** Of all projects; a feed reads those of its guild's project. */
  deaths: Deaths;
  log: Logger;
}

const minuteMs = 60_000;

/** The deaths that a feed has not posted yet, of which it composes messages. */
export class FeedQueue {
  readonly #config: FeedConfig;
  readonly #options: FeedQueueOptions;
  readonly #ages: DeathAges;
  /** By the monotonic clock: nothing is due before, unless there is a later death than this one. */
  #quiet: { until: number; latest: number; of?: Deaths } = { until: -Infinity, latest: NaN };
  #posted: { at: number; servers: string[] }[] = [];
  #servers: FeedView['servers'] = new Map();
  #isMissedLogged = false;

  constructor(config: FeedConfig, options: FeedQueueOptions) {
    this.#config = config;
    this.#options = options;
    this.#ages = new DeathAges(options);
  }

  /** The state with the next message, or with what can be skipped; null: nothing is due. */
  async next(context: GuildContext, state: FeedState): Promise<FeedState | null> {
    const { deaths, monotonic } = this.#options;
    const { through, since } = state;
    const own = context.project.ports.deaths;
    if (own === undefined) return null;
    const latest = await own.latest();
    this.#ages.poll(latest);
    if (latest <= through) return null;
    if (own === this.#quiet.of && latest === this.#quiet.latest && monotonic() < this.#quiet.until)
      return null;
    this.#ages.forget(through);
    const revision = await deaths.revision();
    const read = await readDue(this.#config, own, { from: through, ages: this.#ages, since });
    const due = { ...read, recently: this.#postedRecently() };
    const next =
      due.missed === null && due.fresh.length === 0
        ? read.nextDueMs
        : nextMessage(context.language, await this.viewOf(context), due);
    if (typeof next === 'number') {
      this.#quiet = { until: monotonic() + next, latest, of: own };
      // What is skipped is not read again; the next message stores it.
      return read.fresh.length === 0 ? { ...state, through: read.through } : null;
    }
    const servers = read.fresh.slice(0, next.deaths.length).map(({ serverId }) => serverId);
    this.#posted.push({ at: monotonic(), servers });
    if (due.missed !== null) this.#logMissed(due.missed.count);
    const embed = fit([next.embed])[0]!;
    const message = { embed, deaths: next.deaths, revision, through: next.through };
    const nonce = nonceOf(this.#config.key, through, next.through);
    return { ...state, outgoing: { ...message, nonce, contents: [], unknownSince: null } };
  }

  /** The servers as messages name them: as last known, while the service does not answer. Never rejects. */
  async viewOf({ project: { client } }: GuildContext): Promise<FeedView> {
    const answer = await client.listServers().catch(() => null);
    if (answer !== null) this.#servers = new Map(answer.data.servers.map((server) => [server.id, server]));
    const { servers, positions } = this.#config;
    return { servers: this.#servers, withServer: servers.length > 1, withPositions: positions };
  }

  /** The servers of the deaths that were posted within the last minute. */
  #postedRecently(): string[] {
    this.#posted = this.#posted.filter(({ at }) => this.#options.monotonic() - at < minuteMs);
    return this.#posted.flatMap(({ servers }) => servers);
  }

  #logMissed(deaths: number): void {
    if (this.#isMissedLogged) return;
    this.#isMissedLogged = true;
    this.#options.log.warn(
      `kill feed: ${count(deaths, 'death')} not posted but counted, as older than ${count(this.#config.maxAgeMinutes, 'minute')} when known; if the log was not away, check the timezone of the server, or raise maxAgeMinutes`,
    );
  }
}
