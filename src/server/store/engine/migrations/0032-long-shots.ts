import { bothSides } from './statements.ts';

/** Few of a server's deaths, among which its record is; see `longShotMeters`. */
export const longShots = bothSides([
  `CREATE INDEX death_long_shot ON death (server_id, meters DESC, at) WHERE meters >= 300`,
]);
