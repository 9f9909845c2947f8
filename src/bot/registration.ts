import { setTimeout as delay } from 'node:timers/promises';
import { RateLimitError } from '@discordjs/rest';
import type { Logger } from 'pino';
import { deployCommands, DeployError, type DeployOptions, type ScopeFailure } from './deploy.ts';
import { discordCode, discordErrors, httpStatus } from './discord-error.ts';
import { isOutage } from './retry.ts';

export interface RegistrationOptions extends Omit<DeployOptions, 'guildIds' | 'joinedGuildIds'> {
  applicationId: string;
  /** As the config says now. */
  guildIds: () => readonly string[];
  /** Of the guilds that the bot is in now. */
  joinedGuildIds: () => readonly string[];
  log: Logger;
  signal: AbortSignal;
  /** First wait before the next attempt; it doubles up to five minutes. Default 1 s. */
  firstWaitMs?: number | undefined;
}

/** Registers the commands, and goes on trying until Discord has taken them. */
export interface Registration {
  /** Registers anew, as after a change of the config or of the guilds. Resolves after the first attempt; never rejects. */
  run(): Promise<void>;
  /** A guild has changed: what it refused may work now. */
  guildChanged(guildId: string): void;
}

const longestWaitMs = 5 * 60_000;
/** What Discord has refused changes only when somebody acts, and not every act sends an event. */
const refusedWaitMs = 60 * 60_000;

export function createRegistration(options: RegistrationOptions): Registration {
  const { log, signal, firstWaitMs = 1_000 } = options;
  const reported = new Map<string, string>();
  let failures: readonly ScopeFailure[] = [];
  let working: Promise<void> | null = null;
  let again = false;
  let waitMs = firstWaitMs;
  let waiting = new AbortController();

  async function attempt(): Promise<void> {
    try {
      await deployCommands({
        ...options,
        guildIds: options.guildIds(),
        joinedGuildIds: options.joinedGuildIds(),
      });
      if (failures.length > 0) log.info('all commands are registered now');
      failures = [];
    } catch (error) {
      failures = error instanceof DeployError ? error.failures : [{ guildId: null, cause: error }];
    }
    if (signal.aborted) return;
    const next = Math.min(...failures.map(({ cause }) => waitAfter(cause, waitMs)));
    waitMs = failures.length === 0 ? firstWaitMs : Math.min(waitMs * 2, longestWaitMs);
    report(next);
    if (failures.length > 0) void later(next);
  }

  /** Logs each failure once for each scope, until it is another one. */
  function report(nextMs: number): void {
    const before = new Map(reported);
    reported.clear();
    for (const { guildId, cause } of failures) {
      const where = guildId === null ? '' : ` in guild ${guildId}`;
      const text = `commands could not be registered${where}: ${reasonOf(cause, options.applicationId)}`;
      reported.set(where, text);
      if (before.get(where) === text) continue;
      const line = `${text}; next attempt in ${secondsOrMinutes(nextMs)}`;
      if (isTemporary(cause)) log.warn(line);
      else log.error(line);
    }
  }

  async function later(ms: number): Promise<void> {
    waiting.abort();
    waiting = new AbortController();
    try {
      await delay(ms, undefined, { signal: AbortSignal.any([signal, waiting.signal]), ref: false });
    } catch {
      return;
    }
    await run();
  }

  async function work(): Promise<void> {
    do {
      again = false;
      await attempt();
    } while (again && !signal.aborted);
  }

  async function run(): Promise<void> {
    waiting.abort();
    if (signal.aborted) return;
    // What has changed during an attempt is for the next one.
    again = working !== null;
    working ??= work().finally(() => (working = null));
    await working;
  }

  return {
    run,
    guildChanged(guildId) {
      const refused = failures.some((failure) => failure.guildId === guildId);
      if (refused) void run();
    },
  };
}

/** Whether trying again is all that it takes. */
function isTemporary(error: unknown): boolean {
  return error instanceof RateLimitError || httpStatus(error) === 429 || isOutage(error);
}

function waitAfter(error: unknown, waitMs: number): number {
  if (error instanceof RateLimitError) return Math.max(error.retryAfter, error.timeToReset, waitMs);
  return isTemporary(error) ? waitMs : refusedWaitMs;
}

const secondsOrMinutes = (ms: number): string =>
  ms < 120_000 ? `${Math.ceil(ms / 1000)} s` : `${Math.ceil(ms / 60_000)} minutes`;

/** Discord's status and message, and what the owner can do. */
function reasonOf(error: unknown, applicationId: string): string {
  if (error instanceof RateLimitError) return 'Discord answered 429 Too Many Requests';
  const status = httpStatus(error);
  const message = error instanceof Error ? error.message : String(error);
  if (status === null) return `Discord could not be reached (${message})`;
  const code = discordCode(error);
  const answered = `Discord answered ${status} ${message}${code ? ` (${code})` : ''}`;
  if (status === 401) return `${answered}: check DISCORD_TOKEN`;
  if (code === discordErrors.missingAccess) {
    return (
      `${answered}: the bot was added there without the right to have commands. Add it again with ` +
      `https://discord.com/oauth2/authorize?client_id=${applicationId}&scope=bot+applications.commands`
    );
  }
  if (code === discordErrors.tooManyCreations) {
    return `${answered}: Discord takes 200 new commands a day`;
  }
  return answered;
}
