import { bothSides } from './statements.ts';

/** Which lines of a log count nowhere, because a cut has parted them from the header of their run. */
export const missingLines = bothSides([`ALTER TABLE log_file ADD COLUMN missing TEXT NOT NULL DEFAULT '[]'`]);
