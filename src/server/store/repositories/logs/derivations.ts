/**
 * Versions of the data derived from a server's logs. Raise one when its reader extracts more, or something else, from
 * a file: the follower then reads the files that still exist again, for that derivation only (`log_file`).
 */
export const derivations = {
  /** The runs of a log, their figures and the deaths in them. */
  counts: 8,
  /** SteamID64s, GUIDs and names: from logs that only identify players, and from lines of mods in other logs. */
  identities: 3,
} as const;

export type Derivation = keyof typeof derivations;
