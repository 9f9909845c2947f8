import type { Keyv } from 'keyv';
import { fit } from '../../../embeds/limits.ts';
import type { ChannelMessage } from '../channel-message.ts';
import type { GuildPlace } from '../placed-config.ts';
import { SendingJob } from '../placed-jobs.ts';
import type { SenderOptions } from '../sender.ts';
import { completed, contentOf, deliver, withoutNames, type FeedState, type Outgoing } from './delivery.ts';
import type { Gateway } from '../../gateway/gateway.ts';
import type { FeedConfig } from './feed-config.ts';
import { FeedQueue, type FeedQueueOptions } from './feed-queue.ts';
import { messageOf } from './next-message.ts';

export interface FeedOptions extends FeedQueueOptions, SenderOptions {
  /** Must throw on failure, so that a failure is not read as "absent". */
  keyv: Keyv;
  /**
   * Where the feed posts. `guildId`: the guild that Discord named when it was asked; null: it was not. `unknown`: the bot
   * does not know the guild, such as that of an archived thread. `unavailable`: the guild is in an outage, or not received yet.
   */
  placeOf: (feed: FeedConfig, guildId: string | null) => GuildPlace | 'unknown' | 'unavailable';
  gateway: Pick<Gateway, 'mayReadHistory' | 'ownId'>;
}

/** A state with a message that is being sent. */
type Sending = FeedState & { outgoing: Outgoing };

/**
 * One kill feed. It posts every death that is stored after its first `run()` once, in the order in which they were stored,
 * also where an answer of Discord is lost or the process ends in between.
 */
export class Feed extends SendingJob<FeedConfig> {
  readonly #options: FeedOptions;
  readonly #queue: FeedQueue;
  #state: FeedState | null = null;

  constructor(config: FeedConfig, options: FeedOptions) {
    const failed = 'could not post in the kill feed; the bot keeps trying';
    super(config, options, { name: 'kill feed', failed, backsOff: true });
    this.#options = options;
    this.#queue = new FeedQueue(config, { ...options, log: this.log });
  }

  async run(): Promise<void> {
    await this.sender.run(async () => {
      while (!this.sender.isEnded && (await this.#step()));
    });
  }

  /** Whether there may be more to post. */
  async #step(): Promise<boolean> {
    this.#state ??= await this.#restore();
    const place = this.#options.placeOf(this.config, this.guildId);
    if (place === 'unavailable' || this.sender.isEnded) return false;
    if (place === 'unknown') {
      this.guildId = await this.sender.askForGuild();
      return true;
    }
    if (place.paused) return false;
    if (this.#state.outgoing === null)
      this.#state = (await this.#queue.next(place, this.#state)) ?? this.#state;
    const { outgoing } = this.#state;
    if (outgoing === null || this.sender.isEnded) return false;
    await this.#deliver(place, { ...this.#state, outgoing });
    return true;
  }

  /** Sends the outgoing message, or finds out that it was sent. Rejects when it has to be tried again. */
  async #deliver(place: GuildPlace, { through, outgoing }: Sending): Promise<void> {
    const outcome = await deliver(
      this.sender,
      { ...this.#options, log: this.log },
      {
        channelId: this.config.channelId,
        name: 'kill feed',
        outgoing,
        nonce: outgoing.nonce,
        compose: () => this.#compose(place, outgoing),
        save: (next) => this.#save({ through, outgoing: next }),
      },
    );
    // A missing message may be too old by now, so it is composed again.
    if (outcome === 'absent') await this.#save({ through, outgoing: null });
    else if (outcome === 'leftOut') await this.#done(outgoing);
    else await this.#sentAs(outcome.sentAs, outgoing);
  }

  async #sentAs(messageId: string, outgoing: Outgoing): Promise<void> {
    const { key, channelId } = this.config;
    const message = { feed: key, channelId, messageId, deaths: outgoing.deaths };
    // Before the position is stored: a message that is not remembered could never be edited.
    if (outgoing.deaths.length > 0) await this.#options.deaths.posted(message, outgoing.revision);
    await this.#done(outgoing);
  }

  async #done({ through }: Outgoing): Promise<void> {
    await this.#save({ through, outgoing: null });
  }

  /** The message as it is to be sent now; null: what it says is no longer kept. */
  async #compose(
    place: GuildPlace,
    outgoing: Outgoing,
  ): Promise<{ message: ChannelMessage; stored: Outgoing } | null> {
    const revision = await this.#options.deaths.revision();
    const isOutdated = outgoing.deaths.length > 0 && revision !== outgoing.revision;
    if (outgoing.embed !== undefined && !isOutdated)
      return { message: { embeds: [outgoing.embed] }, stored: outgoing };
    // None, if the guild shows another project by now.
    const found = (await place.project.ports.deaths?.byId(outgoing.deaths)) ?? [];
    const composed = messageOf(place.language, await this.#queue.viewOf(place), found);
    if (composed === null) return null;
    const embeds = fit([composed]);
    const [embed] = embeds;
    const contents = [...new Set([...outgoing.contents, contentOf(embed!)])];
    // Discord may have the earlier text already, which agrees with the earlier revision.
    const stored = { ...outgoing, embed, contents, revision: Math.min(outgoing.revision, revision) };
    return { message: { embeds }, stored };
  }

  async #restore(): Promise<FeedState> {
    const stored = await this.#options.keyv.get<FeedState>(this.config.key);
    const latest = await this.#options.deaths.latest();
    if (stored === undefined) {
      const state = { through: latest, outgoing: null, since: this.#options.now() };
      await this.#save(state);
      return state;
    }
    // A store that was replaced by a new one counts from the beginning.
    if (stored.through > latest) return { ...stored, through: latest, outgoing: null };
    return { ...stored, outgoing: stored.outgoing && completed(stored.outgoing) };
  }

  async #save(next: FeedState): Promise<void> {
    const since = next.since ?? this.#state?.since;
    const stored = { ...next, outgoing: next.outgoing && withoutNames(next.outgoing), since };
    await this.#options.keyv.set(this.config.key, stored);
    this.#state = { ...next, since };
  }
}
