import type { Logger } from 'pino';
import type { Outpost } from '../compose/compose.ts';
import type { Environment } from '../config/environment.ts';
import { isRunByNpm, readBotConfig, readConfig, readEnvironment } from '../config/load.ts';
import { ConfigError } from '../config/error.ts';
import type { Role } from '../config/roles.ts';
import { createLogger } from '../process/log.ts';
import { allowNewSpaceToGrow } from '../process/v8-flags.ts';
import type { Output } from './output.ts';
import { StoreError } from '../server/store/engine/error.ts';
import { isGameType } from '../server/live/game-types.ts';
import { limits } from './limits.ts';

const isWindows = process.platform === 'win32';
/** On Windows, closing the console window sends SIGHUP and Ctrl+Break sends SIGBREAK; both stop Outpost. */
const stopSignals: NodeJS.Signals[] = [
  'SIGINT',
  'SIGTERM',
  ...(isWindows ? (['SIGHUP', 'SIGBREAK'] as const) : []),
];

export async function startOutpost({ json }: Output, { roles }: { roles?: readonly Role[] }): Promise<void> {
  const fromEnvironment = readEnvironment();
  const environment = { ...fromEnvironment, roles: roles ?? fromEnvironment.roles };
  const log = createLogger(environment.logLevel, json ? { json } : {});
  const start = environment.remoteService === null ? startService : startRemoteBot;
  const starting = start(environment, log);
  // Already now: without a listener, the signal would end a process that is still starting.
  const reloadNow = async (running: Started): Promise<void> => await reload(running, log);
  if (!isWindows) process.on('SIGHUP', () => void starting.then(reloadNow, () => undefined));
  const running = await starting;
  allowNewSpaceToGrow(true);
  await untilSignal(running, log.info.bind(log));
}

type Started = Pick<Outpost, 'broken' | 'close'> & { reload(): Promise<void> };
type Start = (environment: Environment, log: Logger) => Promise<Started>;

// Each loads its modules on demand: the other commands need no Discord and should start quickly.
const startService: Start = async (environment, log) => {
  const { configFile, roles } = environment;
  const config = readConfig(configFile, isGameType);
  refuseIdleBot(environment);
  const { compose } = await import('../compose/compose.ts');
  const outpost = await compose({ config, environment, roles, log });
  return { ...outpost, reload: async () => await outpost.reload(readConfig(configFile, isGameType)) };
};

function refuseIdleBot({ roles, discordToken }: Environment): void {
  if (discordToken !== null || roles.some((role) => role !== 'bot')) return;
  throw new ConfigError(
    'DISCORD_TOKEN is not set, and this process would be nothing but the bot: put the token into .env, or give the process other roles',
  );
}

const startRemoteBot: Start = async ({ remoteService, ...environment }, log) => {
  const { configFile } = environment;
  if (remoteService === null) throw new Error('expected a service elsewhere');
  const config = readBotConfig(configFile);
  const { composeRemoteBot } = await import('../compose/remote-bot.ts');
  const bot = await composeRemoteBot({ config, environment: { ...environment, remoteService }, log });
  return { ...bot, reload: async () => await bot.reload(readBotConfig(configFile)) };
};

async function reload(running: Started, log: Logger): Promise<void> {
  log.info('reloading the config');
  try {
    await running.reload();
    log.info('config reloaded');
  } catch (error) {
    const expected = error instanceof ConfigError || error instanceof StoreError;
    const cause = expected ? { reason: error.message } : { err: error };
    log.error(cause, 'could not reload the config; keeping the current one');
  }
}

const shellPollMs = 500;

/** Resolves when the shell in which npm runs this process has ended: npm passes signals to that shell alone. */
function endOfShell(): Promise<string> {
  const shell = process.ppid;
  return new Promise((resolve) => {
    const timer = setInterval(() => {
      if (process.ppid === shell) return;
      clearInterval(timer);
      resolve('npm has ended');
    }, shellPollMs).unref();
  });
}

/**
 * Waits for SIGINT or SIGTERM, then closes and ends the process, with exit code 1 if Outpost itself failed. A second
 * signal ends it at once.
 */
export async function untilSignal(
  outpost: Pick<Outpost, 'close'> & Partial<Pick<Outpost, 'broken'>>,
  say: (text: string) => void,
): Promise<void> {
  const signalled = new Promise<NodeJS.Signals>((resolve) => {
    for (const name of stopSignals) process.once(name, resolve);
  });
  const reason = await Promise.race([
    signalled,
    ...(isRunByNpm() ? [endOfShell()] : []),
    ...(outpost.broken === undefined ? [] : [outpost.broken.then(() => 'broken' as const)]),
  ]);
  process.once('SIGINT', () => process.exit(130));
  process.once('SIGTERM', () => process.exit(143));
  if (reason !== 'broken') say(`${reason}: finishing requests in flight`);
  const deadline = setTimeout(() => {
    say('not everything stopped in time');
    process.exit(1);
  }, limits.shutdownMs);
  await outpost.close();
  clearTimeout(deadline);
  say('stopped');
  // Without this, abandoned queries of game servers would keep the process alive for seconds.
  process.stdout.write('', () => process.exit(reason === 'broken' ? 1 : undefined));
}
