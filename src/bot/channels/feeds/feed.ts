import { fit } from '../../../embeds/limits.ts';
import type { ChannelMessage } from '../channel-message.ts';
import { DeliveryJob, type DeliveryJobOptions } from '../delivery-job.ts';
import type { GuildContext } from '../placed-config.ts';
import type { FeedConfig } from './feed-config.ts';
import { FeedQueue, type FeedQueueOptions } from './feed-queue.ts';
import { withoutNames, type FeedState, type Outgoing } from './feed-state.ts';
import { messageOf } from './next-message.ts';

export type FeedOptions = DeliveryJobOptions & FeedQueueOptions;

/**
 * One kill feed. It posts every death that is stored after its first `run()` once, in the order in which they were stored,
 * also where an answer of Discord is lost or the process ends in between.
 */
export class Feed extends DeliveryJob<FeedConfig, FeedState> {
  readonly #options: FeedOptions;
  readonly #queue: FeedQueue;

  constructor(config: FeedConfig, options: FeedOptions) {
    super(config, options, 'kill feed', 'could not post in the kill feed; the bot keeps trying');
    this.#options = options;
    this.#queue = new FeedQueue(config, { ...options, log: this.log });
  }

  protected async step(): Promise<boolean> {
    this.state ??= await this.#restore();
    const context = await this.context();
    if (context === null || context.paused || this.sender.isEnded) return false;
    if (this.state.outgoing === null)
      this.state = (await this.#queue.next(context, this.state)) ?? this.state;
    const { outgoing } = this.state;
    if (outgoing === null || this.sender.isEnded) return false;
    await this.#deliver(context, outgoing);
    return true;
  }

  /** Sends the outgoing message, or finds out that it was sent. Rejects when it has to be tried again. */
  async #deliver(context: GuildContext, outgoing: Outgoing): Promise<void> {
    const { nonce, deaths, revision, through } = outgoing;
    const compose = async () => await this.#compose(context, outgoing);
    const outcome = await this.deliver({ outgoing, nonce, compose });
    // What it says may be too old by now.
    if (outcome === 'absent') return;
    const { key, channelId } = this.config;
    // Before the position is stored: a message that is not remembered could never be edited.
    if (outcome !== 'leftOut' && deaths.length > 0) {
      const message = { feed: key, channelId, messageId: outcome.sentAs, deaths };
      await this.#options.deaths.posted(message, revision);
    }
    await this.save({ through, outgoing: null });
  }

  /** The message as it is to be sent now; null: what it says is no longer kept. */
  async #compose(
    context: GuildContext,
    outgoing: Outgoing,
  ): Promise<{ message: ChannelMessage; stored?: Outgoing } | null> {
    const revision = await this.#options.deaths.revision();
    const isOutdated = outgoing.deaths.length > 0 && revision !== outgoing.revision;
    if (outgoing.embed !== undefined && !isOutdated) return { message: { embeds: [outgoing.embed] } };
    // None, if the guild shows another project by now.
    const found = (await context.project.ports.deaths?.byId(outgoing.deaths)) ?? [];
    const composed = messageOf(context.language, await this.#queue.viewOf(context), found);
    if (composed === null) return null;
    const embeds = fit([composed]);
    // Discord may have the earlier text already, which agrees with the earlier revision.
    const stored = { ...outgoing, embed: embeds[0], revision: Math.min(outgoing.revision, revision) };
    return { message: { embeds }, stored };
  }

  async #restore(): Promise<FeedState> {
    const stored = await this.#options.keyv.get<FeedState>(this.config.key);
    const latest = await this.#options.deaths.latest();
    if (stored === undefined) {
      const state = { through: latest, outgoing: null, since: this.#options.now() };
      await this.save(state);
      return state;
    }
    // A store that was replaced by a new one counts from the beginning.
    return stored.through > latest ? { ...stored, through: latest, outgoing: null } : stored;
  }

  protected override stored(state: FeedState): FeedState {
    return { ...state, outgoing: state.outgoing && withoutNames(state.outgoing) };
  }
}
