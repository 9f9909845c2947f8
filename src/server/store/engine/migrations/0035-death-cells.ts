import { bothSides } from './statements.ts';

/** How many deaths there were in each square of a server's map, week by week, once they are no longer kept one by one. */
export const deathCells = bothSides([
  `CREATE TABLE death_cell (
    server_id TEXT NOT NULL REFERENCES server, week INTEGER NOT NULL, kind TEXT NOT NULL, x INTEGER NOT NULL,
    z INTEGER NOT NULL, events INTEGER NOT NULL, shared INTEGER NOT NULL, PRIMARY KEY (server_id, week, kind, x, z)
  ) STRICT, WITHOUT ROWID`,
]);
