import type { JobOptions } from './background-options.ts';
import type { ChannelMessage } from './channel-message.ts';
import type { GuildContext, PlacedConfig } from './placed-config.ts';
import { SendingJob } from './placed-jobs.ts';
import { contentOf, findSent, isNonceKnown, type Attempts } from './sent-messages.ts';

export type DeliveryJobOptions = JobOptions & {
  /**
   * Where the job posts. `unknown`: the bot does not know the guild of the channel, such as that of an archived thread.
   * `unavailable`: the guild is in an outage, or not received yet.
   */
  contextOf: (
    config: PlacedConfig & { servers?: readonly string[] | undefined },
  ) => GuildContext | 'unknown' | 'unavailable';
};

export type DeliveryJobsOptions = DeliveryJobOptions & {
  /** The keys of all such jobs in the config. */
  configuredKeys: readonly string[];
};

interface Delivery<Outgoing extends Attempts> {
  outgoing: Outgoing;
  nonce: string;
  /** The message as it is to be sent now, and what is stored of it instead of `outgoing`; null: nothing is left to say. */
  compose: () => Promise<{ message: ChannelMessage; stored?: Outgoing } | null>;
}

/**
 * - `sentAs`: the message is in the channel; `isEarlier`: an earlier attempt may have sent it, with its text.
 * - `absent`: it is not, and Discord may have forgotten its nonce, so the state has it no longer: it is to be composed anew.
 * - `leftOut`: Discord never takes it, nothing is left to say, or it is unknown whether it was sent.
 */
type Outcome = { sentAs: string; isEarlier: boolean } | 'absent' | 'leftOut';

/** A kill feed, recaps or alerts about players: new messages, each sent once. */
export abstract class DeliveryJob<
  Config extends PlacedConfig,
  State extends { outgoing: Attempts | null },
> extends SendingJob<Config> {
  readonly #options: DeliveryJobOptions;
  readonly #name: string;
  /** Null: not read yet. */
  protected state: State | null = null;

  /** @param name for log lines @param failed logged once for failures that are no refusals */
  constructor(config: Config, options: DeliveryJobOptions, name: string, failed: string) {
    super(config, options, { name, failed, backsOff: true });
    this.#options = options;
    this.#name = name;
  }

  async run(): Promise<void> {
    await this.sender.run(async () => {
      while (!this.sender.isEnded && (await this.step()));
    });
  }

  /** Does what is due. @returns whether there may be more */
  protected abstract step(): Promise<boolean>;

  protected async save(changed: Partial<State>): Promise<void> {
    const next = { ...this.state!, ...changed };
    // Without an error listener, Keyv may return false instead of throwing.
    const isWritten = await this.#options.keyv.set(this.config.key, this.stored(next));
    if (!isWritten) throw new Error('the state was not written');
    this.state = next;
  }

  /** What is stored of a state. */
  protected stored(state: State): State {
    return state;
  }

  /** Null: nothing can be posted now. Rejects with the reason where the channel is gone or hidden. */
  protected async context(): Promise<GuildContext | null> {
    const { contextOf, gateway, signal } = this.#options;
    const isKnown = contextOf(this.config) !== 'unknown';
    if (!isKnown && (await gateway.findGuildOf(this.config.channelId, signal)) === null)
      throw new Error('the channel is not one of a Discord server');
    const context = contextOf(this.config);
    return typeof context === 'string' ? null : context;
  }

  /**
   * Sends a message once, also where an answer of Discord is lost or the process ends in between.
   * @throws the client's errors, where it has to be tried again
   */
  protected async deliver(delivery: Delivery<NonNullable<State['outgoing']>>): Promise<Outcome> {
    const { outgoing, nonce, compose } = delivery;
    const save = async (next: State['outgoing']) => await this.save({ outgoing: next } as Partial<State>);
    const { unknownSince } = outgoing;
    if (unknownSince !== null && !isNonceKnown(unknownSince, this.#options.now())) {
      const found = await findSent(this.config.channelId, outgoing, this.#options);
      if (typeof found === 'object') return { sentAs: found.id, isEarlier: true };
      if (found === 'absent') {
        await save(null);
        return found;
      }
      this.log.warn(
        `${this.#name}: cannot check whether the last message arrived, so it is not sent again; give the bot Read Message History in the channel`,
      );
      return 'leftOut';
    }
    await this.sender.turn('message');
    const composed = await compose();
    if (composed === null) return 'leftOut';
    const { message, stored = outgoing } = composed;
    const contents = [...new Set([...stored.contents, contentOf(message.embeds[0]!)])];
    await save({ ...stored, contents, unknownSince: unknownSince ?? this.#options.now() });
    const notAccepted = () => save(unknownSince === null ? null : outgoing);
    const sentAs = await this.sender.deliver(message, nonce, notAccepted);
    return sentAs === null ? 'leftOut' : { sentAs, isEarlier: unknownSince !== null };
  }
}
