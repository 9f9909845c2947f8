/**
 * Versions of what is derived from a server's logs. Raise one when its readers find more, or something else, in a file:
 * the follower then reads the files that are still there again, for that derivation alone (`LogFileTable`).
 */
export const derivations = {
  /** The runs of an admin log and their figures. */
  counts: 2,
  /** The SteamID64s, GUIDs and names of an .RPT, a serverconsole.log and of mods' lines in an admin log. */
  identities: 2,
} as const;

export type Derivation = keyof typeof derivations;
