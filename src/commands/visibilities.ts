/** Who sees an answer: everyone in the channel, or only the asker. */
export type Visibility = 'public' | 'private';

/** Who sees the answers of each command, unless the config says otherwise. */
export const visibilities = {
  status: 'public',
  online: 'public',
  top: 'public',
  lookup: 'private',
  me: 'private',
  link: 'private',
  heatmap: 'private',
  bans: 'private',
  schedule: 'public',
  outpost: 'private',
} as const satisfies Record<string, Visibility>;

export type CommandName = keyof typeof visibilities;

/** The default visibility of a command's answers. */
export const visibilityOf = (name: string): Visibility =>
  Object.hasOwn(visibilities, name) ? visibilities[name as CommandName] : 'private';

/**
 * The commands of which the config may say who sees the answers. The others are always private: whoever sees the gestures of
 * `/link` can make them, too, and `/outpost` is for managers.
 */
export const configurableCommands = (Object.keys(visibilities) as CommandName[]).filter(
  (name) => name !== 'link' && name !== 'outpost',
);
