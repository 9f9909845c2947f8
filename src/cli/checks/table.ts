import type { Config, DiscordConfig } from '../../config/schema.ts';
import { logFormats } from '../../server/games/index.ts';
import { activeSources } from '../../server/ingest/follower/sources.ts';
import { overviewOfSources } from '../../server/ingest/source-overview.ts';
import { knownHosts } from '../known-hosts.ts';
import { withSourceFiles } from '../source-files.ts';
import { checkAddresses, checkJoinAddresses, checkPageAddress } from './config/address-checks.ts';
import { checkMapImages } from './config/map-images.ts';
import { checkCountedTwice, checkOwners } from './config/stored-ids.ts';
import { checkPostgres } from './data/postgres-checks.ts';
import { checkHomeGuilds } from './discord/home-guilds.ts';
import { checkKillFeeds } from './discord/kill-feed-checks.ts';
import { checkPlayerAlerts, checkRemoteAlerts } from './discord/player-alert-checks.ts';
import { checkRoleRules } from './discord/role-checks.ts';
import { placedIn } from './discord/placed-channels.ts';
import { about, type Finding } from './finding.ts';
import { sizeOf, type Installation } from './installation.ts';
import { once } from './once.ts';
import { checkTokenForm } from './program-checks.ts';
import type { Check } from './run-checks.ts';
import { banFileChecks, serverChecks } from './servers/server-checks.ts';
import { checkSharedFiles } from './servers/shared-files.ts';
import { checkProcesses } from './service/process-checks.ts';
import { checkPublicUrl } from './service/public-url-checks.ts';
import { checkService } from './service/service-checks.ts';

/** Runs work with the checks of an installation whose config is valid; those of files need connections until it ends. */
export async function withChecks<T>(
  one: Installation,
  work: (checks: readonly Check[]) => Promise<T>,
): Promise<T> {
  const { config, read } = one;
  if (config === null) return await work([...botChecks(one), ...remoteServiceChecks(one)]);
  const sources = activeSources(config);
  const trust = knownHosts(read);
  const followed = once(async () =>
    sources.places?.size === 0
      ? []
      : await read(async (db) => await overviewOfSources(db, sources, null, logFormats), []),
  );
  const own = [...configChecks(config, one), ...serviceChecks(config, one), ...botChecks(one)];
  // Inactive servers and ban lists are not checked.
  const servers = config.projects.flatMap((project) => project.servers.filter(({ active }) => active));
  const banlists = config.projects.flatMap((project) => project.banlists.filter(({ active }) => active));
  return await withSourceFiles(sources, trust, async (files) => {
    const access = { files, isContainer: one.machine.isContainer, trust, followed };
    return await work([
      ...own,
      ...servers.flatMap((server) => serverChecks(server, access, one)),
      {
        doctor: 'servers',
        checkConfig: 'files',
        subject: 'files of several servers',
        run: async () => await checkSharedFiles(config, files),
      },
      ...banlists.flatMap((banlist) => banFileChecks(banlist, access)),
    ]);
  });
}

function configChecks(config: Config, { environment, read }: Installation): Check[] {
  const { configFile } = environment;
  const valid = about('config', configFile).good(`valid: ${sizeOf(config)}`);
  return [
    { doctor: 'config', subject: configFile, run: async () => [valid] },
    {
      doctor: 'config',
      checkConfig: 'config',
      subject: 'addresses',
      run: async () => [
        ...checkAddresses(config),
        ...checkJoinAddresses(config),
        ...checkPageAddress(config),
      ],
    },
    {
      doctor: 'config',
      checkConfig: 'config',
      subject: 'pictures of maps',
      run: async () => await checkMapImages(config),
    },
    {
      checkConfig: 'store',
      isOnline: true,
      subject: 'the store on PostgreSQL',
      run: async () => await checkPostgres(environment),
    },
    {
      checkConfig: 'store',
      subject: 'ids in the store',
      run: async () => [...(await checkOwners(config, read)), ...(await checkCountedTwice(config, read))],
    },
    {
      checkConfig: 'network',
      isOnline: true,
      subject: 'the Discord servers of posts',
      run: async () =>
        await (await import('./discord/foreign-servers.ts')).checkForeignServers(config, environment),
    },
  ];
}

function serviceChecks(config: Config, { environment, machine, read, holder }: Installation): Check[] {
  const { configFile, storeUrl } = environment;
  const { publicUrl } = config.http;
  return [
    {
      doctor: 'service',
      subject: 'the service',
      // A data folder that does not answer is reported as such.
      run: async () => await checkService(config, (await holder) ?? null, configFile, storeUrl !== undefined),
    },
    {
      doctor: 'service',
      subject: 'the processes',
      run: async () => await checkProcesses(environment.storeUrl),
    },
    {
      doctor: 'service',
      subject: 'files under another id',
      // Without a service, reading would leave files beside the store.
      run: async () => ((await holder) ? await checkCountedTwice(config, read) : []),
    },
    {
      doctor: 'service',
      subject: 'http.publicUrl',
      run: async () =>
        publicUrl === undefined ? [] : await checkPublicUrl(publicUrl, Boolean(await holder), machine.now()),
    },
  ];
}

function remoteServiceChecks({ environment: { remoteService }, discord }: Installation): Check[] {
  if (remoteService === null || discord === undefined) return [];
  return [
    {
      doctor: 'service',
      checkConfig: 'network',
      isOnline: true,
      subject: 'the remote service',
      run: async () =>
        await (await import('./service/remote-service-checks.ts')).checkRemoteService(remoteService, discord),
    },
  ];
}

/** The bot's section of the config, and what Discord says. */
function botChecks(one: Installation): Check[] {
  const { config, discord, environment, machine, read, holder } = one;
  const { discordToken: token, discordApiUrl: apiUrl } = environment;
  const checks: Check[] = [];
  if (discord !== undefined) {
    checks.push({
      // Of a bot that is off, the doctor says only that.
      ...(config !== null && token === null ? {} : { doctor: 'discord' }),
      checkConfig: 'config',
      subject: 'home guilds',
      run: async () => [checkHomeGuilds(discord), ...checkFeeds(discord, config)],
    });
  }
  const half = halfConfigured(discord !== undefined, token !== null);
  if (half !== null) checks.push({ doctor: 'discord', subject: 'the bot', run: async () => [half] });
  if (discord === undefined || token === null || checkTokenForm(token) !== null) return checks;
  checks.push({
    doctor: 'discord',
    subject: 'Discord',
    async run() {
      const { checkDiscord } = await import('./discord/discord-checks.ts');
      // Whether a service elsewhere runs is not asked for.
      const isRunning = config === null || Boolean(await holder);
      const placements = await placedIn(read);
      return await checkDiscord({ token, apiUrl, discord, placements, isRunning, now: machine.now, config });
    },
  });
  return checks;
}

function checkFeeds(discord: DiscordConfig, config: Config | null): Finding[] {
  if (config !== null)
    return [...checkKillFeeds(config), ...checkPlayerAlerts(config), ...checkRoleRules(config)];
  const missing = notElsewhere
    .filter(({ key }) => discord[key].length > 0)
    .map(({ key, what, lacks }) =>
      about(`discord.${key}`, what).warning(
        `the bot reads a service elsewhere, which ${lacks}`,
        `set the ${what} up with the bot of that service`,
      ),
    );
  return [...missing, ...checkRemoteAlerts(discord)];
}

/** What a service has not for bots elsewhere. */
const notElsewhere = [
  { key: 'killFeeds', what: 'kill feeds', lacks: 'has no kills for it' },
  { key: 'recapPosts', what: 'recaps', lacks: 'has no recaps for it' },
  { key: 'roles', what: 'roles', lacks: 'does not know who is linked' },
] as const;

function halfConfigured(hasSection: boolean, hasToken: boolean): Finding | null {
  if (hasSection === hasToken) return null;
  return hasSection
    ? about('DISCORD_TOKEN', 'the bot').warning(
        'is not set, so the bot is off, although the config has a section discord',
        'put DISCORD_TOKEN=<the token of the bot> into .env, or remove the section',
      )
    : about('discord', 'the bot').warning(
        'DISCORD_TOKEN is set, but the config has no section discord, so the bot is off',
        'add the section discord: {} to the config, or remove the token',
      );
}
