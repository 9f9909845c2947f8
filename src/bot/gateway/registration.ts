import { RateLimitError } from '@discordjs/rest';
import { RESTJSONErrorCodes as ErrorCodes } from 'discord.js';
import { backOffMs } from '../../process/back-off.ts';
import { limitConcurrency } from '../../process/concurrency-limit.ts';
import { ProblemLog } from '../../process/problem-log.ts';
import type { BotContext } from '../bot-options.ts';
import { hashOfCommands, registerCommands, removeCommands, type Scope } from '../deploy.ts';
import { discordCode, httpStatus } from '../discord-error.ts';
import { inviteLink } from '../invite.ts';
import { longestRegisterMs } from '../limits.ts';

const inWords = (scope: Scope): string => (scope === null ? '' : ` in guild ${scope}`);

/**
 * Registers the commands in each scope whose definitions differ from those that were registered last, removes them from scopes
 * that the config no longer names, and retries until Discord has accepted that. What is registered is stored: without it, the
 * next start registers again.
 * @returns a function that registers what differs, for example after a change of the config or the guilds. It resolves after one
 * attempt, and never rejects
 */
export function createRegistration(
  context: BotContext,
  applicationId: string,
  signal: AbortSignal,
): () => Promise<void> {
  const { rest, keyv, gateway, log, registerRetryMs, settings } = context;
  const key = `registered:${applicationId}`;
  const inTurn = limitConcurrency(1);
  /** By scope. */
  const problems = new ProblemLog();
  let failedAttempts = 0;
  let timer: NodeJS.Timeout | undefined;

  const run = async (): Promise<void> => await inTurn.run(attempt);

  async function attempt(): Promise<void> {
    if (signal.aborted) return;
    clearTimeout(timer);
    const hasFailed = await registerAll();
    if (signal.aborted) return;
    if (!hasFailed && failedAttempts > 0) log.info('all commands are registered');
    failedAttempts = hasFailed ? failedAttempts + 1 : 0;
    const waitMs = backOffMs(failedAttempts, registerRetryMs, longestRegisterMs);
    if (hasFailed) timer = setTimeout(() => void run(), waitMs).unref();
  }

  /** @returns whether it failed in some scopes */
  async function registerAll(): Promise<boolean> {
    const { guildIds } = settings().config;
    const wanted: readonly Scope[] = guildIds.length > 0 ? guildIds : [null];
    /** The hash of what is registered in each scope. */
    const registered = new Map(await keyv.get<[Scope, string][]>(key).catch(() => []));
    let hasFailed = false;
    for (const scope of new Set([...wanted, ...registered.keys()])) {
      const before = registered.get(scope) ?? null;
      try {
        const hash = wanted.includes(scope) ? await register(scope, before) : await remove(scope);
        if (hash === before) continue;
        if (hash === null) registered.delete(scope);
        else registered.set(scope, hash);
        await keyv.set(key, [...registered]).catch(() => undefined);
      } catch (error) {
        hasFailed = true;
        report(scope, `could not register commands${inWords(scope)}: ${reasonOf(error)}`);
      }
    }
    return hasFailed;
  }

  /** @param before the hash of what is registered there; null: nothing @returns that of what is now */
  async function register(scope: Scope, before: string | null): Promise<string | null> {
    if (!isJoined(scope)) {
      report(scope, `no commands${inWords(scope)}: the bot is not in it. They are registered once it joins.`);
      return null;
    }
    const hash = hashOfCommands(scope);
    if (hash !== before) {
      await registerCommands(rest, applicationId, scope);
      log.info(`commands registered${inWords(scope)}`);
    }
    report(scope, null);
    return hash;
  }

  async function remove(scope: Scope): Promise<null> {
    if (!isJoined(scope)) return null;
    try {
      await removeCommands(rest, applicationId, scope);
      log.info(`commands removed${inWords(scope)}`);
    } catch (error) {
      // The bot was added to the guild again, without the scope for commands, so it has none there.
      if (httpStatus(error) !== 403) throw error;
    }
    return null;
  }

  function isJoined(scope: Scope): boolean {
    return scope === null || gateway.guilds().some(({ id }) => id === scope);
  }

  function report(scope: Scope, problem: string | null): void {
    const { error } = problems.update(String(scope), problem);
    if (error !== undefined) log.warn(error);
  }

  /** Discord's status and message, and what to do about it. */
  function reasonOf(error: unknown): string {
    if (error instanceof RateLimitError) return 'Discord answered 429 Too Many Requests';
    const status = httpStatus(error);
    const { message } = error as Error;
    if (status === null) return `could not reach Discord (${message})`;
    const code = discordCode(error);
    const answered = `Discord answered ${status} ${message}${code ? ` (${code})` : ''}`;
    if (code !== ErrorCodes.MissingAccess) return answered;
    const invite = inviteLink(applicationId, settings().config.roles.length > 0);
    return `${answered}: the bot was added without the applications.commands scope. Add it again with ${invite}`;
  }

  return run;
}
