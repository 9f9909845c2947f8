import type { LogFormat } from 'dayz-files';

/** The log formats of a game by its GameDig type; empty: its logs cannot be read. */
export type LogFormats = (game: string) => readonly LogFormat[];

/** @throws if the game has no log formats */
export function requireFormats(formats: LogFormats, game: string): readonly [LogFormat, ...LogFormat[]] {
  const [first, ...others] = formats(game);
  if (first === undefined) throw new Error(noFormats(game));
  return [first, ...others];
}

export const noFormats = (game: string): string =>
  `Outpost cannot read the logs of the game "${game}": it shows the live status of its servers only`;
