import { bothSides } from './statements.ts';

/** Players of consoles have a name and no identifier that the service knows. */
export const playerNames = bothSides([
  `CREATE INDEX player_by_name ON player (project_id, name COLLATE NOCASE) WHERE name IS NOT NULL`,
]);
