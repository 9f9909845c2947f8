import { bothSides } from './statements.ts';

/** What the bot knows of the roles of members, so that it takes only what it gave. */
export const memberRoles = bothSides([
  `CREATE TABLE member_role (
    guild_id TEXT NOT NULL,
    role_id TEXT NOT NULL,
    member_id TEXT NOT NULL,
    state TEXT NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (guild_id, role_id, member_id)
  ) STRICT, WITHOUT ROWID`,
]);
