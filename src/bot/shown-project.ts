import type { Client } from '../api/client-types.ts';
import type { Caller } from '../api/request-budget.ts';
import type { Community } from '../commands/interfaces/community.ts';

/** A project that guilds show. Nothing of another project can be read or changed through it. */
export interface ShownProject {
  /** For posts and alerts. */
  client: Client;
  clientAs(caller: Caller): Client;
  community: Community;
  /** Whether one of these servers belongs to another project. */
  areForeign(serverIds: readonly string[]): boolean;
}

export interface GuildProjects {
  /**
   * The project that a guild shows; the same object at each call, until the guild shows another one. Null as the guild:
   * direct messages, and guilds that are not known. Returns null if there is no project for it.
   */
  of(guildId: string | null): ShownProject | null;
  /** Whether guilds show different projects. */
  areSeveral(): boolean;
}

/** For a bot with one project: all guilds show it. */
export function sameProject(clientAs: ShownProject['clientAs'], community: Community): GuildProjects {
  const project = { client: clientAs('duties'), clientAs, community, areForeign: () => false };
  return { of: () => project, areSeveral: () => false };
}
