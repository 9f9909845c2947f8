import type { NamedRecap, Ports } from '../../../commands/ports/ports.ts';
import { readBranding } from '../../../commands/replies.ts';
import { fit } from '../../../embeds/limits.ts';
import { recapEmbed, type Recap } from '../../../embeds/recap.ts';
import { lastMoment } from '../../../process/cron.ts';
import { loggable } from '../../loggable.ts';
import type { ChannelMessage } from '../channel-message.ts';
import { DeliveryJob, type DeliveryJobOptions } from '../delivery-job.ts';
import { contentOf, type Attempts } from '../sent-messages.ts';
import type { GuildContext } from '../placed-config.ts';
import { nonceOf } from '../sender.ts';
import type { RecapConfig } from './recap-config.ts';

type RecapOptions = DeliveryJobOptions & { recapNames: NonNullable<Ports['recapNames']> };

/** A message with a recap, which is written again when one of its players is hidden, shown or forgotten. */
interface PostedRecap {
  messageId: string;
  recap: Recap;
  /** Of hidden and forgotten players, that the message agrees with. */
  revision: number;
  /** A digest of its text. */
  content: string;
}

interface RecapState {
  /** The last moment of the cron expression that is done; epoch milliseconds. */
  due: number;
  /** The message that is being sent for a moment, with its nonce. */
  outgoing: (Attempts & { due: number }) | null;
  /** The oldest first. */
  messages: readonly PostedRecap[];
}

/** A recap that was missed by more than this is not made up for. */
const daysMadeUp = 7;
/** About two years of weeks. */
const mostMessages = 100;

/**
 * The weekly recaps of one channel: a new message at each moment of a cron expression. As with other posts, a moment that
 * passed while nothing ran is made up for at the next start, and the first recap is posted at once. Each moment is posted
 * once, also where an answer of Discord is lost or the process ends in between.
 */
export class RecapPost extends DeliveryJob<RecapConfig, RecapState> {
  readonly #options: RecapOptions;
  #isDue = true;
  #isOutdated = true;

  constructor(config: RecapConfig, options: RecapOptions) {
    super(config, options, 'recap', 'could not post the recap; the bot keeps trying');
    this.#options = options;
  }

  markDue(): void {
    this.#isDue = true;
  }

  /** Players were hidden, shown or forgotten. */
  markOutdated(): void {
    this.#isOutdated = true;
  }

  protected async step(): Promise<boolean> {
    if (!this.#isDue && !this.#isOutdated) return false;
    this.state ??= (await this.#options.keyv.get<RecapState>(this.config.key)) ?? {
      due: 0,
      outgoing: null,
      messages: [],
    };
    const context = await this.context();
    if (context === null || this.sender.isEnded) return false;
    if (this.#isOutdated) {
      this.#isOutdated = false;
      await this.#reword(context).catch((error: unknown) => {
        this.#isOutdated = true;
        throw error;
      });
    }
    if (!this.#isDue || this.sender.isEnded) return false;
    const due = this.#dueMoment();
    if (due !== null && !context.paused) await this.#post(context, due);
    this.#isDue = false;
    return false;
  }

  /** The moment for which a recap is to be posted; null: none is. */
  #dueMoment(): number | null {
    const { due: done, outgoing } = this.state!;
    const { cron } = this.config;
    if (cron === null) return null;
    const now = this.#options.now();
    const due = lastMoment(cron, now, daysMadeUp);
    if (outgoing !== null && now - outgoing.due < daysMadeUp * 86_400_000) return outgoing.due;
    // A clock that was ahead by more than a day had this done too early.
    return due === null || (done >= due && done - now < 86_400_000) ? null : due;
  }

  async #post(context: GuildContext, due: number): Promise<void> {
    const { key, servers } = this.config;
    const named = (await context.project.ports.recaps?.weekBefore(due, servers)) ?? null;
    if (named === null) {
      this.log.info('no recap is posted: nothing is known of the week, nor of the one before');
      return await this.#done(due);
    }
    const before = this.state!.outgoing;
    const outgoing = before?.due === due ? before : { due, contents: [], unknownSince: null };
    let content = '';
    const outcome = await this.deliver({
      outgoing,
      nonce: nonceOf(key, due),
      compose: async () => {
        const message = await this.#messageOf(context, named);
        content = contentOf(message.embeds[0]!);
        return { message };
      },
    });
    if (outcome === 'leftOut') return await this.#done(due);
    if (outcome === 'absent') return await this.#post(context, due);
    await this.#sentAs(outcome.sentAs, due, named, outcome.isEarlier ? null : content);
  }

  async #messageOf({ language, project }: GuildContext, named: NamedRecap): Promise<ChannelMessage> {
    const branding = await readBranding(project.client).catch(() => null);
    const drawing = this.#options.charts?.recap?.(named, branding, language);
    const picture = await drawing?.catch((error: unknown) => {
      this.log.warn({ error: loggable(error) }, 'recap: could not draw the picture');
      return null;
    });
    return { embeds: fit([recapEmbed(language, branding, named)]), picture };
  }

  /** @param content null: of an earlier attempt, so it may name others */
  async #sentAs(messageId: string, due: number, named: NamedRecap, content: string | null): Promise<void> {
    const { recap } = named;
    const posted = {
      messageId,
      recap,
      revision: content === null ? -1 : named.revision,
      content: content ?? '',
    };
    this.#isOutdated ||= content === null;
    await this.save({
      due,
      outgoing: null,
      messages: [...this.state!.messages, posted].slice(-mostMessages),
    });
  }

  async #done(due: number): Promise<void> {
    await this.save({ due, outgoing: null });
  }

  /** Edits messages in which a name is to be shown no longer, or again. */
  async #reword(context: GuildContext): Promise<void> {
    for (const posted of this.state!.messages.toReversed()) {
      if (this.sender.isEnded) return;
      const named = await this.#options.recapNames(posted.recap);
      // All others have the same revision, or were written later.
      if (named.revision === posted.revision) continue;
      const message = await this.#messageOf(context, named);
      const content = contentOf(message.embeds[0]!);
      if (content !== posted.content) {
        await this.sender.turn('rewording');
        await this.sender.reword(posted.messageId, message, 'a recap names');
      }
      const reworded = { ...posted, revision: named.revision, content };
      const messages = this.state!.messages.map((each) =>
        each.messageId === posted.messageId ? reworded : each,
      );
      await this.save({ messages });
    }
  }
}
