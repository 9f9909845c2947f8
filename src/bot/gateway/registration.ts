import { RateLimitError } from '@discordjs/rest';
import { RESTJSONErrorCodes as ErrorCodes } from 'discord.js';
import { backOffMs } from '../../process/back-off.ts';
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

export interface Registration {
  /** Registers what differs, for example after a change of the config or the guilds. Resolves after the first attempt. Never rejects. */
  run(): Promise<void>;
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
export function createRegistration(options: RegistrationOptions): Registration {
  const { rest, applicationId, keyv, gateway, config, log, signal, registerRetryMs } = options;
  const key = `commands:${applicationId}`;
  /** Each failure is logged once, until it changes. */
  let reported: readonly string[] = [];
  /** Guilds of the config in which the bot is not. */
  const absent = new Set<string>();
  let working: Promise<void> | null = null;
  let again = false;
  let failedAttempts = 0;
  let timer: NodeJS.Timeout | undefined;

  const isJoined = (scope: string): boolean =>
    scope === everywhere || gateway.guilds().some(({ id }) => id === scope);

  async function attempt(): Promise<void> {
    clearTimeout(timer);
    const failures = await registerAll();
    if (signal.aborted) return;
    if (failures.length === 0 && failedAttempts > 0) log.info('all commands are registered');
    failedAttempts = failures.length === 0 ? 0 : failedAttempts + 1;
    const waitMs = backOffMs(failedAttempts, registerRetryMs, longestRegisterMs);
    if (failures.length > 0) timer = setTimeout(() => void run(), waitMs).unref();
    for (const text of failures.filter((each) => !reported.includes(each)))
      log.warn(`${text}; next attempt in ${Math.ceil(waitMs / 1_000)} s`);
    reported = failures;
  }

  /** @returns why it failed in some scopes */
  async function registerAll(): Promise<string[]> {
    const { guildIds, roles = [] } = config();
    const wanted = guildIds.length > 0 ? guildIds : [everywhere];
    let registered: Registered = (await keyv.get<Registered>(key).catch(() => undefined)) ?? {};
    const failures: string[] = [];
    for (const scope of new Set([...wanted, ...Object.keys(registered)])) {
      const { [scope]: before, ...others } = registered;
      try {
        const hash = wanted.includes(scope) ? await register(scope, before) : await remove(scope);
        if (hash === (before ?? null)) continue;
        registered = hash === null ? others : { ...others, [scope]: hash };
        await keyv.set(key, registered).catch(() => undefined);
      } catch (error) {
        const reason = reasonOf(error, inviteLink(applicationId, roles.length > 0));
        failures.push(`could not register commands${inWords(scope)}: ${reason}`);
      }
    }
    return failures;
  }

  /** @param before the hash of what is registered there @returns that of what is now; null: nothing */
  async function register(scope: string, before: string | undefined): Promise<string | null> {
    if (!isJoined(scope)) {
      if (!absent.has(scope))
        log.warn(`no commands in guild ${scope}: the bot is not in it. They are registered once it joins.`);
      absent.add(scope);
      return null;
    }
    absent.delete(scope);
    const hash = hashOfCommands(guildOf(scope));
    if (hash === before) return hash;
    await registerCommands(rest, applicationId, guildOf(scope));
    log.info(`commands registered${inWords(scope)}`);
    return hash;
  }

  async function remove(scope: string): Promise<null> {
    if (!isJoined(scope)) return null;
    try {
      await removeCommands(rest, applicationId, guildOf(scope));
      log.info(`commands removed${inWords(scope)}`);
    } catch (error) {
      // The bot was added to the guild again, without the scope for commands, so it has none there.
      if (httpStatus(error) !== 403) throw error;
    }
    return null;
  }

  async function work(): Promise<void> {
    do {
      again = false;
      await attempt();
    } while (again && !signal.aborted);
  }

  async function run(): Promise<void> {
    if (signal.aborted) return;
    // A change during an attempt triggers another attempt.
    again = working !== null;
    working ??= work().finally(() => (working = null));
    await working;
  }

  return { run };
}

/** Discord's status and message, and what to do next. */
function reasonOf(error: unknown, invite: string): string {
  if (error instanceof RateLimitError) return 'Discord answered 429 Too Many Requests';
  const status = httpStatus(error);
  const message = error instanceof Error ? error.message : String(error);
  if (status === null) return `could not reach Discord (${message})`;
  const code = discordCode(error);
  const answered = `Discord answered ${status} ${message}${code ? ` (${code})` : ''}`;
  if (status === 401) return `${answered}: check DISCORD_TOKEN`;
  if (code === ErrorCodes.MissingAccess)
    return `${answered}: the bot was added without the applications.commands scope. Add it again with ${invite}`;
  if (code === ErrorCodes.MaximumDailyApplicationCommandCreatesReached)
    return `${answered}: Discord allows 200 new commands a day`;
  return answered;
}
