import type { Client } from '../api/client-types.ts';
import type { Caller } from '../api/request-budget.ts';
import type { Community } from '../commands/interfaces/community.ts';

/** How the bot reads and changes the project that a guild shows. Nothing of another project can be reached through it. */
export interface ShownProject {
  /** For posts and alerts. */
  client: Client;
  clientAs(caller: Caller): Client;
  community: Community;
  /** Whether one of these servers belongs to another project. */
  hasForeign(serverIds: readonly string[]): boolean;
}

export interface GuildProjects {
  /**
   * @param guildId null: a direct message, or a guild that is not known
   * @returns the same object at each call, until the guild shows another project; null: there is no project for it
   */
  of(guildId: string | null): ShownProject | null;
  /** Whether guilds show different projects. */
  areSeveral(): boolean;
}

/** For a bot with one project: all guilds show it. */
export function singleProject(clientAs: ShownProject['clientAs'], community: Community): GuildProjects {
  const project = { client: clientAs('duties'), clientAs, community, hasForeign: () => false };
  return { of: () => project, areSeveral: () => false };
}
