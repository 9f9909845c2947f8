import { migrationOf } from './statements.ts';

/** Whoever goes or went by a name, for players who have nothing else. */
const statements = [`CREATE INDEX player_alias_by_name ON player_alias (name COLLATE NOCASE)`];

export const playerAliasNames = migrationOf(statements);
