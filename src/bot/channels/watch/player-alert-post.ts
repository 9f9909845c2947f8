import type { Arrivals, PagedArrival } from '../../../commands/ports/watch-list.ts';
import { arrivalEmbed, newPlayersEmbed } from '../../../embeds/arrival.ts';
import { fit } from '../../../embeds/limits.ts';
import type { ChannelMessage } from '../channel-message.ts';
import { DeliveryJob, type DeliveryJobOptions } from '../delivery-job.ts';
import type { Attempts } from '../sent-messages.ts';
import type { GuildContext } from '../placed-config.ts';
import { nonceOf } from '../sender.ts';
import type { AlertMessage } from './alert-messages.ts';
import {
  nextArrivals,
  type NextArrivals,
  type PlayerAlertConfig,
  readTooLate,
  roleOf,
  shownIn,
} from './player-alert.ts';

export type PlayerAlertOptions = DeliveryJobOptions & {
  /** Remembers a message, to remove it when a player in it is hidden or forgotten. */
  posted: (message: AlertMessage) => Promise<void>;
};

interface PlayerAlertState {
  /** Every arrival up to this id is posted or skipped. */
  passed: number;
  /** The message that is being sent, with a digest of what it says and whom it names. */
  outgoing: (Attempts & Pick<NextArrivals, 'through'> & { ids: number[]; players: number[] }) | null;
}

const pageSize = 100;

/**
 * Alerts of one channel about players who come on. Each arrival that is stored after the first `run()` is posted once, also
 * where an answer of Discord is lost or the process ends in between.
 */
export class PlayerAlertPost extends DeliveryJob<PlayerAlertConfig, PlayerAlertState> {
  readonly #options: PlayerAlertOptions;
  #isLateLogged = false;

  constructor(config: PlayerAlertConfig, options: PlayerAlertOptions) {
    const failed = 'could not send an alert about players; the bot keeps trying';
    super(config, options, 'alert about players', failed);
    this.#options = options;
  }

  protected async step(): Promise<boolean> {
    const context = await this.context();
    const arrivals = context?.project.ports.arrivals;
    if (context === null || context.paused || arrivals === undefined) return false;
    this.state ??= await this.#restore(arrivals);
    const next = await this.#next(arrivals, this.state);
    if (next === null || this.sender.isEnded) return false;
    await this.#deliver(context, next);
    return true;
  }

  /** The next message; null: nothing is due. */
  async #next(arrivals: Arrivals, { passed, outgoing }: PlayerAlertState): Promise<NextArrivals | null> {
    if (outgoing !== null) {
      const kept = await Promise.all(outgoing.ids.map((id) => arrivals.get(id)));
      const shown = kept.flatMap((arrival) => (arrival && shownIn(this.config, arrival)) ?? []);
      return { arrivals: shown, through: outgoing.through };
    }
    for (let from = passed; ;) {
      const page = await arrivals.after(from, pageSize);
      this.#reportLate(page);
      const next = nextArrivals(this.config, page, this.#options.now());
      if (typeof next !== 'number') return await withKills(this.config, arrivals, next);
      if (page.length > 0) await this.save({ passed: next });
      if (page.length < pageSize) return null;
      from = next;
    }
  }

  #reportLate(page: readonly PagedArrival[]): void {
    const late = readTooLate(this.config, page);
    if (late === 0 || this.#isLateLogged) return;
    this.#isLateLogged = true;
    this.log.warn(
      `alert about players: ${late} came on more than an hour before their log was read, and have left since, so they are left out; if Outpost or the log was not away, check the timezone of the server`,
    );
  }

  /** Sends the message, or finds out that it was sent. Rejects when it has to be tried again. */
  async #deliver(context: GuildContext, next: NextArrivals): Promise<void> {
    const { through } = next;
    const { passed, outgoing: earlier } = this.state!;
    const ids = next.arrivals.map(({ id }) => id);
    // An earlier attempt may name somebody who is forgotten by now.
    const named = [...(earlier?.players ?? []), ...next.arrivals.flatMap((arrival) => arrival.players)];
    const players = [...new Set(named)];
    const outgoing = { contents: [], unknownSince: null, ...earlier, ids, players, through };
    const outcome = await this.deliver({
      outgoing,
      nonce: nonceOf(this.config.key, passed, through),
      // Without any, the players were forgotten meanwhile.
      compose: async () => (ids.length === 0 ? null : { message: await this.#messageOf(context, next) }),
    });
    if (outcome === 'absent') return;
    if (outcome !== 'leftOut') {
      const { channelId } = this.config;
      const forModerators = next.arrivals.some(({ isNew }) => !isNew);
      const { guildId, language } = context;
      const { locale } = language;
      const messageId = outcome.sentAs;
      await this.#options.posted({ guildId, channelId, messageId, locale, players, forModerators });
    }
    await this.save({ passed: through, outgoing: null });
  }

  async #messageOf({ language, project }: GuildContext, next: NextArrivals): Promise<ChannelMessage> {
    const answer = await project.client.listServers().catch(() => null);
    const names = new Map(answer?.data.servers.map((server) => [server.id, server.name]));
    const serverOf = (id: string): string => names.get(id) ?? id;
    const [first] = next.arrivals;
    const embed =
      next.arrivals.length === 1
        ? arrivalEmbed(language, serverOf(first!.serverId), first!)
        : newPlayersEmbed(
            language,
            next.arrivals.map((arrival) => ({ ...arrival, server: serverOf(arrival.serverId) })),
          );
    return { embeds: fit([embed]), roleId: roleOf(this.config, first!, this.#options.now()) };
  }

  async #restore(arrivals: Arrivals): Promise<PlayerAlertState> {
    const stored = await this.#options.keyv.get<PlayerAlertState>(this.config.key);
    if (stored !== undefined) return stored;
    const state = { passed: await arrivals.latest(), outgoing: null };
    await this.save(state);
    return state;
  }
}

/** A message about one player has the latest kills, if it is for moderators. */
async function withKills(
  config: PlayerAlertConfig,
  arrivals: Arrivals,
  next: NextArrivals,
): Promise<NextArrivals> {
  const [first, another] = next.arrivals;
  if (first === undefined || first.isNew || another !== undefined) return next;
  const whole = await arrivals.get(first.id);
  const shown = whole === null ? null : shownIn(config, whole);
  return { ...next, arrivals: shown === null ? [] : [shown] };
}
