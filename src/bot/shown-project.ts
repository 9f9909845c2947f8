import type { Client } from '../api/client-types.ts';
import type { Caller } from '../api/request-budget.ts';
import type { Ports } from '../commands/ports/ports.ts';

/** A project that guilds show. Nothing of another project can be read or changed through it. */
export interface ShownProject {
  clientAs(caller: Caller): Client;
  /** What the bot has of this project besides the service. */
  ports?: Ports | undefined;
  /** Whether one of these servers belongs to another project; left out: the bot has one project. */
  areForeign?: ((serverIds: readonly string[]) => boolean) | undefined;
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
export function sameProject(clientAs: ShownProject['clientAs']): GuildProjects {
  const project = { clientAs };
  return { of: () => project, areSeveral: () => false };
}

/** A shown project, with all ports that the bot has for it. */
export interface BotProject {
  /** For posts and alerts. */
  client: Client;
  clientAs: ShownProject['clientAs'];
  ports: Ports;
  areForeign: (serverIds: readonly string[]) => boolean;
}
