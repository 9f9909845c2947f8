export interface GuildConfig {
  id: string;
  /** Slug of the project that it shows; left out: that of the bot. */
  project?: string | undefined;
  locale?: string | undefined;
  /** IANA zone of charts; left out: the server's. */
  timezone?: string | undefined;
}

/** A cache by the list of a config, which is never changed, only replaced. */
const indexes = new WeakMap<readonly GuildConfig[], ReadonlyMap<string, GuildConfig>>();

const none: readonly GuildConfig[] = [];

function indexOf(guilds: readonly GuildConfig[] = none): ReadonlyMap<string, GuildConfig> {
  const index = indexes.get(guilds) ?? new Map(guilds.map((guild) => [guild.id, guild]));
  indexes.set(guilds, index);
  return index;
}

/** What the config says of a guild; undefined: nothing. */
export function guildSettings(
  guilds: readonly GuildConfig[] | undefined,
  guildId: string,
): GuildConfig | undefined {
  return indexOf(guilds).get(guildId);
}

/** The ids of guilds whose settings differ. */
export function changedGuilds(
  before: readonly GuildConfig[] | undefined,
  after: readonly GuildConfig[] | undefined,
): Set<string> {
  const [old, current] = [indexOf(before), indexOf(after)];
  const ids = new Set([...old.keys(), ...current.keys()]);
  return new Set([...ids].filter((id) => JSON.stringify(old.get(id)) !== JSON.stringify(current.get(id))));
}
