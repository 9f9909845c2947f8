import type { StoredPlacement } from '../../bot/channels/placement-store.ts';
import type { Environment } from '../../config/environment.ts';
import { ConfigError } from '../../config/error.ts';
import { environmentWarnings, readBotConfig, readEnvironment } from '../../config/load.ts';
import { botConfigSchema, type Config, type DiscordConfig } from '../../config/schema.ts';
import { checkAddresses } from '../check-config/address-checks.ts';
import { checkHomeGuilds } from '../check-config/discord-checks.ts';
import { brokenFiles } from '../check-config/broken-files.ts';
import type { Finding } from '../check-config/finding.ts';
import { count } from '../output.ts';
import { checkKillFeeds, remoteKillFeeds } from '../check-config/kill-feed-checks.ts';
import { readConfig } from '../read-config.ts';
import type { DataInspection } from './data-process.ts';
import { thisMachine, type Machine } from './machine.ts';
import { checkDotEnvMode, checkNode, checkTokenForm, checkVariables } from './program-checks.ts';
import { checkPublicUrl } from './public-url-checks.ts';
import { placedIn } from './placed-channels.ts';
import { checkPostgres } from './postgres-checks.ts';
import { checkProcesses } from './process-checks.ts';
import { runChecks, type Check, type GroupedFinding } from './run-checks.ts';
import { withFileChecks } from './server-checks.ts';
import { checkService } from './service-checks.ts';
import { checkBanWrites } from './stored-checks.ts';

export interface DiagnoseOptions {
  machine?: Machine;
  /** A check that takes longer is given up, and reported. */
  timeoutMs?: number;
  onEnd?: (done: number, total: number) => void;
}

/** Longer than a login at a slow host and its requests. */
const defaultTimeoutMs = 30_000;
/** A check of the store reads about 120 MB a second. */
const dataTimeoutMs = 60_000;

/** Checks an installation. Never rejects, never writes, and ends whatever hangs. */
export async function diagnose(options: DiagnoseOptions = {}): Promise<GroupedFinding[]> {
  const { machine = thisMachine, timeoutMs = defaultTimeoutMs, onEnd } = options;
  const run = async (checks: readonly Check[]): Promise<GroupedFinding[]> =>
    await runChecks(checks, { timeoutMs, ...(onEnd === undefined ? {} : { onEnd }) });
  const own = programChecks(machine);
  const environment = attempt(readEnvironment);
  if ('mistakes' in environment) return await run([...own, found('program', '.env', environment.mistakes)]);
  const { dataFolder, configFile, remoteService, discordToken } = environment.value;
  const inspection = machine.inspectDataFolder(
    { folder: dataFolder, hasStore: environment.value.storeUrl === undefined },
    Math.max(timeoutMs, dataTimeoutMs),
  );
  const data: Check = {
    group: 'data',
    subject: 'the data folder',
    // It ends by itself, and says then how far it has come.
    timeoutMs: 2 * dataTimeoutMs,
    run: () => inspection.findings,
  };
  const database: Check = {
    group: 'data',
    subject: 'the store on PostgreSQL',
    run: () => checkPostgres(environment.value),
  };
  const checks = [...own, data, database, tokenCheck(discordToken)];
  if (remoteService !== null) {
    const config = attempt(() => readBotConfig(configFile) ?? botConfigSchema.parse({}));
    if ('mistakes' in config) return await run([...checks, found('config', configFile, config.mistakes)]);
    return await run([
      ...checks,
      ...remoteBotChecks(config.value.discord, environment.value, inspection, machine),
    ]);
  }
  const config = attempt(() => readConfig(configFile));
  if ('mistakes' in config) return await run([...checks, found('config', configFile, config.mistakes)]);
  return await withFileChecks(
    { config: config.value, environment: environment.value, machine, inspection },
    async (serverChecks) =>
      await run([
        ...checks,
        found('config', configFile, [
          contentsOf(configFile, config.value),
          ...brokenFiles(config.value),
          ...checkAddresses(config.value),
        ]),
        ...serviceChecks(config.value, environment.value, inspection, machine),
        ...serverChecks,
        ...discordChecks(config.value, environment.value, inspection, machine),
      ]),
  );
}

type Attempt<T> = { value: T } | { mistakes: Finding[] };

function attempt<T>(read: () => T): Attempt<T> {
  try {
    return { value: read() };
  } catch (error) {
    return { mistakes: mistakesOf(error instanceof ConfigError ? error : new ConfigError(String(error))) };
  }
}

/** Each mistake with its line. */
function mistakesOf({ message, mistakes }: ConfigError): Finding[] {
  if (mistakes.length > 0) {
    return mistakes.map(({ line, key, message: found }) => ({
      key: key === '' ? 'config' : key,
      tried: `line ${line}`,
      status: 'wrong',
      found,
      next: 'correct the line, then run the doctor again',
    }));
  }
  const [found = message, ...others] = message.split('\n');
  const next =
    others.map((line) => line.trim().replace(/\.$/, '')).join('. ') ||
    'correct it, then run the doctor again';
  return [{ key: 'config', tried: 'reading', status: 'wrong', found, next }];
}

const found = (group: Check['group'], subject: string, findings: readonly Finding[]): Check => ({
  group,
  subject,
  run: async () => findings,
});

function contentsOf(file: string, { projects }: Config): Finding {
  const servers = projects.flatMap((project) => project.servers).length;
  const banlists = projects.flatMap((project) => project.banlists).length;
  const contents = [
    count(projects.length, 'project'),
    count(servers, 'server'),
    count(banlists, 'ban list'),
  ].join(', ');
  return { key: 'config', tried: file, status: 'good', found: `valid: ${contents}` };
}

function programChecks({ node, platform, now, dotEnvFile: file }: Machine): Check[] {
  return [
    { group: 'program', subject: 'Node.js', run: async () => [checkNode(node, now())] },
    { group: 'program', subject: 'variables', run: async () => variables(file) },
    { group: 'program', subject: '.env', run: async () => checkDotEnvMode(file, platform) },
  ];
}

function variables(dotEnv: string): Finding[] {
  const warnings = attempt(() => environmentWarnings(dotEnv));
  return 'mistakes' in warnings ? warnings.mistakes : checkVariables(warnings.value);
}

function tokenCheck(token: string | null): Check {
  const form = token === null ? null : checkTokenForm(token);
  return found('discord', 'DISCORD_TOKEN', form === null ? [] : [form]);
}

function serviceChecks(
  config: Config,
  environment: Environment,
  { holder }: DataInspection,
  { now }: Machine,
): Check[] {
  const { configFile } = environment;
  const { publicUrl } = config.http;
  return [
    {
      group: 'service',
      subject: 'the service',
      // A data folder that does not answer is reported as such.
      run: async () =>
        await checkService(config, (await holder) ?? null, configFile, environment.storeUrl !== undefined),
    },
    {
      group: 'service',
      subject: 'the processes',
      run: async () => await checkProcesses(config, environment),
    },
    {
      group: 'service',
      subject: 'written ban files',
      run: async () => ((await holder) ? await checkBanWrites(environment) : []),
    },
    ...(publicUrl === undefined
      ? []
      : [
          {
            group: 'service' as const,
            subject: 'http.publicUrl',
            run: async () => await checkPublicUrl(publicUrl, Boolean(await holder), now()),
          },
        ]),
  ];
}

function discordChecks(
  config: Config,
  environment: Environment,
  inspection: DataInspection,
  { now }: Machine,
): Check[] {
  const { discord } = config;
  const { discordToken: token, discordApiUrl: apiUrl } = environment;
  if (discord === undefined && token === null) return [];
  if (discord === undefined || token === null) {
    return [found('discord', 'the bot', [halfConfigured(token === null)])];
  }
  return [
    found('discord', 'home guilds', [...checkHomeGuilds(config), ...checkKillFeeds(config)]),
    ...(checkTokenForm(token) === null
      ? [
          {
            group: 'discord' as const,
            subject: 'Discord',
            async run() {
              const { checkDiscord } = await import('./discord-checks.ts');
              const isRunning = Boolean(await inspection.holder);
              const placements = await placedOf(environment, inspection);
              return await checkDiscord({
                token,
                apiUrl,
                discord,
                placements,
                isRunning,
                now,
                config,
              });
            },
          },
        ]
      : []),
  ];
}

/** A data folder that does not answer is reported as such. */
async function placedOf(
  environment: Environment,
  { holder }: DataInspection,
): Promise<readonly StoredPlacement[]> {
  return (await holder) === undefined ? [] : await placedIn(environment);
}

function halfConfigured(isTokenMissing: boolean): Finding {
  return isTokenMissing
    ? {
        key: 'DISCORD_TOKEN',
        tried: 'the bot',
        status: 'warning',
        found: 'is not set, so the bot is off, although the config has a section discord',
        next: 'put DISCORD_TOKEN=<the token of the bot> into .env, or remove the section',
      }
    : {
        key: 'discord',
        tried: 'the bot',
        status: 'warning',
        found: 'DISCORD_TOKEN is set, but the config has no section discord, so the bot is off',
        next: 'add the section discord: {} to the config, or remove the token',
      };
}

/** A process that only runs a bot has no projects, service or store. */
function remoteBotChecks(
  discord: DiscordConfig,
  environment: Environment,
  inspection: DataInspection,
  { now }: Machine,
): Check[] {
  const { remoteService, discordToken: token, discordApiUrl: apiUrl } = environment;
  const feeds = discord.killFeeds.length > 0 ? [remoteKillFeeds] : [];
  if (remoteService === null) return [];
  return [
    found('discord', 'home guilds', [...checkHomeGuilds({ discord }), ...feeds]),
    {
      group: 'service',
      subject: 'the remote service',
      run: async () =>
        await (await import('../check-config/service-checks.ts')).checkService(remoteService, discord),
    },
    ...(token === null
      ? [found('discord', 'the bot', [halfConfigured(true)])]
      : checkTokenForm(token) !== null
        ? []
        : [
            {
              group: 'discord' as const,
              subject: 'Discord',
              async run() {
                const { checkDiscord } = await import('./discord-checks.ts');
                const placements = await placedOf(environment, inspection);
                return await checkDiscord({
                  token,
                  apiUrl,
                  discord,
                  placements,
                  now,
                  config: null,
                  isRunning: true,
                });
              },
            },
          ]),
  ];
}
