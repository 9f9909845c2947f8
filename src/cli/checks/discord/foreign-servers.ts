import { guildOfChannel } from '../../../bot/inspection.ts';
import { createRest } from '../../../bot/rest.ts';
import { projectOfGuild, serverOf, showsSeveralProjects } from '../../../config/config-index.ts';
import type { Environment } from '../../../config/environment.ts';
import type { Config } from '../../../config/schema.ts';
import { about, wrong, type CheckResult, type Finding } from '../finding.ts';
import { wantedChannels } from './wanted-channels.ts';

/** Says that a server belongs to another project than the Discord server of the post's channel shows; null: none does. */
export function foreignServer(
  config: Config,
  serverIds: readonly string[],
  guildId: string,
): CheckResult | null {
  const shown = projectOfGuild(config, guildId)?.slug;
  for (const id of serverIds) {
    const slug = serverOf(config, id)?.project.slug;
    if (slug === undefined || slug === shown) continue;
    const shows = shown === undefined ? 'no project' : `the project ${shown}`;
    return wrong(
      `server ${id} belongs to the project ${slug}, but Discord server ${guildId} shows ${shows}, so nothing is posted`,
      `name servers of ${shown ?? 'its project'}, a channel of another Discord server, or the project that this one is to show: guilds: [{ id: "${guildId}", project: ${slug} }]`,
    );
  }
  return null;
}

const timeoutMs = 8_000;

/** Asks Discord in which Discord server each post is, where these show different projects. */
export async function checkForeignServers(
  config: Config,
  { discordToken: token, discordApiUrl }: Pick<Environment, 'discordToken' | 'discordApiUrl'>,
): Promise<Finding[]> {
  if (config.discord === undefined || token === null || !showsSeveralProjects(config)) return [];
  const rest = createRest({ token, apiUrl: discordApiUrl ?? undefined, timeoutMs });
  const posts = wantedChannels(config.discord, false).filter(({ servers }) => servers.length > 0);
  const found = posts.map(async ({ key, channelId, servers }): Promise<Finding[]> => {
    const channel = about(key, `channel ${channelId}`);
    try {
      const guildId = await guildOfChannel(rest, channelId);
      const foreign = guildId === null ? null : foreignServer(config, servers, guildId);
      return foreign === null ? [] : [channel.is(foreign)];
    } catch (error) {
      const problem = `Discord did not say in which Discord server it is: ${(error as Error).message}`;
      return [channel.warning(problem, 'run: outpost doctor')];
    }
  });
  return (await Promise.all(found)).flat();
}
