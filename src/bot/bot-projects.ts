import type { Keyv } from 'keyv';
import type { Ports } from '../commands/ports/ports.ts';
import { createClaimedLinks } from './claimed-links.ts';
import type { BotProject, GuildProjects, ShownProject } from './shown-project.ts';

interface BotProjectsOptions {
  /** Read at each call, because it may change. */
  projects: () => GuildProjects;
  keyv: Keyv;
  /** For all projects. */
  ports: Ports;
}

/** Returns a function that gives the project that a guild shows, with all that the bot has for it; null: none. */
export function createBotProjects({ projects, keyv, ports }: BotProjectsOptions) {
  const known = new WeakMap<ShownProject, BotProject>();

  // Of a bot on a service elsewhere, which has one project; others bring their own.
  const links = createClaimedLinks(keyv);

  function complete(shown: ShownProject): BotProject {
    const { clientAs, areForeign = () => false } = shown;
    return { client: clientAs('duties'), clientAs, areForeign, ports: { links, ...ports, ...shown.ports } };
  }

  return (guildId: string | null): BotProject | null => {
    const shown = projects().of(guildId);
    if (shown === null) return null;
    const project = known.get(shown) ?? complete(shown);
    known.set(shown, project);
    return project;
  };
}
