import type { Language } from '../../locales/language.ts';
import type { BotProject } from '../shown-project.ts';

/** What the configs of posts, alerts and kill feeds have in common. */
export interface PlacedConfig {
  /** What Discord has of it is stored under this key. */
  key: string;
  /** Where a member placed it; left out: the config places it. */
  guildId?: string | undefined;
  channelId: string;
  /** Left out: the guild's. */
  locale?: string | undefined;
}

/** Adds keys, which hold the kind, the channel and the position among those, so that the content may change. */
export function keyed<Config extends { channelId: string }>(
  kindOf: (config: Config) => string,
  configs: readonly Config[] = [],
): (Config & { key: string })[] {
  const seen = new Map<string, number>();
  return configs.map((config) => {
    const group = `${kindOf(config)}:${config.channelId}`;
    const position = seen.get(group) ?? 0;
    seen.set(group, position + 1);
    return { ...config, key: `${group}:${position}` };
  });
}

/** What posts and kill feeds take from the guild of their channel. */
export interface GuildContext {
  guildId: string;
  language: Language;
  /** It is not a home guild: a member's post shows only that, and kill feeds post nothing. */
  paused: boolean;
  /** The project that the guild shows. */
  project: Pick<BotProject, 'client' | 'ports'>;
}
