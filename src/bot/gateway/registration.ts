import { RateLimitError } from '@discordjs/rest';
import { RESTJSONErrorCodes as ErrorCodes } from 'discord.js';
import { backOffMs } from '../../process/back-off.ts';
import { limitConcurrency } from '../../process/concurrency-limit.ts';
import { ProblemLog } from '../../process/problem-log.ts';
import type { BotConfig, BotContext } from '../bot-options.ts';
import { hashOfCommands, registerCommands, removeCommands } from '../deploy.ts';
import { discordCode, httpStatus } from '../discord-error.ts';
import { inviteLink } from '../invite.ts';
import { longestRegisterMs } from '../limits.ts';

interface RegistrationOptions extends Pick<
  BotContext,
  'rest' | 'keyv' | 'gateway' | 'log' | 'registerRetryMs'
> {
  applicationId: string;
  /** It may change. */
  config: () => BotConfig;
  signal: AbortSignal;
}

/** By scope, a guild's id or `everywhere`: the hash of what is registered there. */
type Registered = Readonly<Record<string, string>>;

/** The scope that is no guild. */
const everywhere = 'everywhere';
const guildOf = (scope: string): string | null => (scope === everywhere ? null : scope);
const inWords = (scope: string): string => (scope === everywhere ? '' : ` in guild ${scope}`);

/**
 * Registers the commands in each scope whose definitions differ from those that were registered last, removes them from scopes
 * that the config no longer names, and retries until Discord has accepted that. What is registered is stored: without it, the
 * next start registers again.
 */
export class Registration {
  readonly #options: RegistrationOptions;
  readonly #key: string;
  readonly #inTurn = limitConcurrency(1);
  /** By scope. */
  readonly #problems = new ProblemLog();
  #failedAttempts = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: RegistrationOptions) {
    this.#options = options;
    this.#key = `commands:${options.applicationId}`;
  }

  /** Registers what differs, for example after a change of the config or the guilds. Resolves after one attempt. Never rejects. */
  async run(): Promise<void> {
    await this.#inTurn.run(() => this.#attempt());
  }

  async #attempt(): Promise<void> {
    const { log, signal, registerRetryMs } = this.#options;
    if (signal.aborted) return;
    clearTimeout(this.#timer);
    const hasFailed = await this.#registerAll();
    if (signal.aborted) return;
    if (!hasFailed && this.#failedAttempts > 0) log.info('all commands are registered');
    this.#failedAttempts = hasFailed ? this.#failedAttempts + 1 : 0;
    const waitMs = backOffMs(this.#failedAttempts, registerRetryMs, longestRegisterMs);
    if (hasFailed) this.#timer = setTimeout(() => void this.run(), waitMs).unref();
  }

  /** @returns whether it failed in some scopes */
  async #registerAll(): Promise<boolean> {
    const { keyv, config } = this.#options;
    const { guildIds } = config();
    const wanted = guildIds.length > 0 ? guildIds : [everywhere];
    let registered: Registered = (await keyv.get<Registered>(this.#key).catch(() => undefined)) ?? {};
    let hasFailed = false;
    for (const scope of new Set([...wanted, ...Object.keys(registered)])) {
      const { [scope]: before = null, ...others } = registered;
      try {
        const hash = wanted.includes(scope) ? await this.#register(scope, before) : await this.#remove(scope);
        if (hash === before) continue;
        registered = hash === null ? others : { ...others, [scope]: hash };
        await keyv.set(this.#key, registered).catch(() => undefined);
      } catch (error) {
        hasFailed = true;
        this.#report(scope, `could not register commands${inWords(scope)}: ${this.#reasonOf(error)}`);
      }
    }
    return hasFailed;
  }

  /** @param before the hash of what is registered there; null: nothing @returns that of what is now */
  async #register(scope: string, before: string | null): Promise<string | null> {
    const { rest, applicationId, log } = this.#options;
    if (!this.#isJoined(scope)) {
      this.#report(
        scope,
        `no commands${inWords(scope)}: the bot is not in it. They are registered once it joins.`,
      );
      return null;
    }
    const hash = hashOfCommands(guildOf(scope));
    if (hash !== before) {
      await registerCommands(rest, applicationId, guildOf(scope));
      log.info(`commands registered${inWords(scope)}`);
    }
    this.#report(scope, null);
    return hash;
  }

  async #remove(scope: string): Promise<null> {
    const { rest, applicationId, log } = this.#options;
    if (!this.#isJoined(scope)) return null;
    try {
      await removeCommands(rest, applicationId, guildOf(scope));
      log.info(`commands removed${inWords(scope)}`);
    } catch (error) {
      // The bot was added to the guild again, without the scope for commands, so it has none there.
      if (httpStatus(error) !== 403) throw error;
    }
    return null;
  }

  #isJoined(scope: string): boolean {
    return scope === everywhere || this.#options.gateway.guilds().some(({ id }) => id === scope);
  }

  #report(scope: string, problem: string | null): void {
    const { error } = this.#problems.update(scope, problem);
    if (error !== undefined) this.#options.log.warn(error);
  }

  /** Discord's status and message, and what to do about it. */
  #reasonOf(error: unknown): string {
    const { applicationId, config } = this.#options;
    if (error instanceof RateLimitError) return 'Discord answered 429 Too Many Requests';
    const status = httpStatus(error);
    const { message } = error as Error;
    if (status === null) return `could not reach Discord (${message})`;
    const code = discordCode(error);
    const answered = `Discord answered ${status} ${message}${code ? ` (${code})` : ''}`;
    if (code !== ErrorCodes.MissingAccess) return answered;
    const invite = inviteLink(applicationId, (config().roles ?? []).length > 0);
    return `${answered}: the bot was added without the applications.commands scope. Add it again with ${invite}`;
  }
}
