import { bothSides } from './statements.ts';

/** The lines of a log that are not counted, because the part with the header of their run is missing (`MissingLines`). */
export const missingLines = bothSides([`ALTER TABLE log_file ADD COLUMN missing TEXT NOT NULL DEFAULT '[]'`]);
