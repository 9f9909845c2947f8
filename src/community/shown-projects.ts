import type { SharedClient } from '../api/client.ts';
import type { GuildProjects, ShownProject } from '../bot/shown-project.ts';
import type { Community } from '../commands/interfaces/community.ts';
import type { Config } from '../config/schema.ts';
import { perKey } from '../process/per-key.ts';
import { projectOfGuild, serverOf, showsSeveralProjects } from '../config/config-index.ts';

interface ShownProjectsOptions {
  config: () => Config;
  createClient: (slug: string) => SharedClient;
  communityOf: (slug: string) => Community;
}

/** The projects of the bot's guilds. Each has a client and a community of its own, which are made when first needed. */
export function createShownProjects({ config, createClient, communityOf }: ShownProjectsOptions) {
  const clients = new Map<string, SharedClient>();
  const projectOf = perKey((slug): ShownProject => {
    const client = createClient(slug);
    clients.set(slug, client);
    return {
      client: client.as('duties'),
      clientAs: (caller) => client.as(caller),
      community: communityOf(slug),
      // A server that the config does not have belongs to no other project.
      hasForeign: (serverIds) =>
        serverIds.some((id) => (serverOf(config(), id)?.project.slug ?? slug) !== slug),
    };
  });
  const projects: GuildProjects = {
    of(guildId) {
      const slug = projectOfGuild(config(), guildId)?.slug;
      return slug === undefined ? null : projectOf(slug);
    },
    areSeveral: () => showsSeveralProjects(config()),
  };
  /** After a change of the config: what the clients of these projects have cached is not used again. */
  const expire = (slugs: Iterable<string>): void => {
    for (const slug of slugs) clients.get(slug)?.expire();
  };
  return { ...projects, expire };
}
