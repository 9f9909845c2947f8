import { bothSides } from './statements.ts';

/** Finds players by any of their names: players of consoles have no identifier. */
export const playerAliasNames = bothSides([
  `CREATE INDEX player_alias_by_name ON player_alias (name COLLATE NOCASE)`,
]);
