import { RateLimitError } from '@discordjs/rest';
import type { Logger } from 'pino';
import { backOffMs } from '../../process/back-off.ts';
import { deployCommands, DeployError, type DeployOptions, type ScopeFailure } from '../deploy.ts';
import { discordCode, discordErrors, httpStatus } from '../discord-error.ts';
import { inviteLink } from '../invite.ts';
import { isOutage } from '../retry.ts';

interface RegistrationOptions extends Omit<DeployOptions, 'guildIds' | 'joinedGuildIds'> {
  applicationId: string;
  /** From the current config. */
  guildIds: () => readonly string[];
  /** The guilds that the bot is currently in. Undefined: they are read from Discord. */
  joinedGuildIds: () => readonly string[] | undefined;
  /** Whether the config has roles that the bot gives. */
  managesRoles: () => boolean;
  log: Logger;
  signal: AbortSignal;
  /** First delay before a retry. It doubles up to five minutes. Default 1 s. */
  firstWaitMs?: number | undefined;
}

export type Registration = ReturnType<typeof createRegistration>;

const longestWaitMs = 5 * 60_000;
/** A refusal lasts until someone acts, and not every action sends an event. */
const refusedWaitMs = 60 * 60_000;

/** Registers the commands and retries until Discord accepts them. */
export function createRegistration(options: RegistrationOptions) {
  const { log, signal, firstWaitMs = 1_000 } = options;
  const reported = new Map<string, string>();
  let failures: readonly ScopeFailure[] = [];
  let working: Promise<void> | null = null;
  let again = false;
  let failedAttempts = 0;
  let timer: NodeJS.Timeout | undefined;

  async function attempt(): Promise<void> {
    clearTimeout(timer);
    try {
      await deployCommands({
        ...options,
        guildIds: options.guildIds(),
        joinedGuildIds: options.joinedGuildIds(),
      });
      if (failures.length > 0) log.info('all commands are registered');
      failures = [];
    } catch (error) {
      failures = error instanceof DeployError ? error.failures : [{ guildId: null, cause: error }];
    }
    if (signal.aborted) return;
    failedAttempts = failures.length === 0 ? 0 : failedAttempts + 1;
    const waitMs = backOffMs(failedAttempts, firstWaitMs, longestWaitMs);
    const next = Math.min(...failures.map(({ cause }) => waitAfter(cause, waitMs)));
    report(next);
    if (failures.length > 0) timer = setTimeout(() => void run(), next).unref();
  }

  /** Logs each failure of a scope once, until it changes. */
  function report(nextMs: number): void {
    const before = new Map(reported);
    reported.clear();
    for (const { guildId, cause } of failures) {
      const where = guildId === null ? '' : ` in guild ${guildId}`;
      const text = `could not register commands${where}: ${reasonOf(cause, options.applicationId, options.managesRoles())}`;
      reported.set(where, text);
      if (before.get(where) === text) continue;
      const line = `${text}; next attempt in ${secondsOrMinutes(nextMs)}`;
      if (isTemporary(cause)) log.warn(line);
      else log.error(line);
    }
  }

  async function work(): Promise<void> {
    do {
      again = false;
      await attempt();
    } while (again && !signal.aborted);
  }

  /** Registers again, for example after a change of the config or the guilds. Resolves after the first attempt. Never rejects. */
  async function run(): Promise<void> {
    if (signal.aborted) return;
    // A change during an attempt triggers another attempt.
    again = working !== null;
    working ??= work().finally(() => (working = null));
    await working;
  }

  return {
    run,
    /** A guild changed, so a failed registration there is retried. */
    guildChanged(guildId: string): void {
      const refused = failures.some((failure) => failure.guildId === guildId);
      if (refused) void run();
    },
  };
}

/** Whether a retry can succeed without anyone acting. */
function isTemporary(error: unknown): boolean {
  return error instanceof RateLimitError || httpStatus(error) === 429 || isOutage(error);
}

function waitAfter(error: unknown, waitMs: number): number {
  if (error instanceof RateLimitError) return Math.max(error.retryAfter, error.timeToReset, waitMs);
  return isTemporary(error) ? waitMs : refusedWaitMs;
}

const secondsOrMinutes = (ms: number): string =>
  ms < 120_000 ? `${Math.ceil(ms / 1000)} s` : `${Math.ceil(ms / 60_000)} minutes`;

/** Discord's status and message, and what to do next. */
function reasonOf(error: unknown, applicationId: string, managesRoles: boolean): string {
  if (error instanceof RateLimitError) return 'Discord answered 429 Too Many Requests';
  const status = httpStatus(error);
  const message = error instanceof Error ? error.message : String(error);
  if (status === null) return `could not reach Discord (${message})`;
  const code = discordCode(error);
  const answered = `Discord answered ${status} ${message}${code ? ` (${code})` : ''}`;
  if (status === 401) return `${answered}: check DISCORD_TOKEN`;
  if (code === discordErrors.missingAccess) {
    return (
      `${answered}: the bot was added without the applications.commands scope. Add it again with ` +
      inviteLink(applicationId, managesRoles)
    );
  }
  if (code === discordErrors.tooManyCreations) {
    return `${answered}: Discord allows 200 new commands a day`;
  }
  return answered;
}
