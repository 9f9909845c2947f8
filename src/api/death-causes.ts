/**
 * Causes of death, for every game. `player`: another player, who may be unknown; `self`: the victim's own weapon; `ai`: a
 * mod's armed characters; `died`: the log gives no cause, as with hunger or illness; `other`: a cause that no rule matches.
 */
export const deathCauses = [
  'player',
  'self',
  'suicide',
  'ai',
  'infected',
  'animal',
  'vehicle',
  'fall',
  'explosion',
  'trap',
  'fire',
  'drowned',
  'bled-out',
  'died',
  'other',
] as const;

export type DeathCause = (typeof deathCauses)[number];

/** What killed a player: `blunt` includes everything without an edge, `rifle` shotguns and submachine guns. */
export type WeaponKind = 'fists' | 'blunt' | 'blade' | 'bow' | 'pistol' | 'rifle' | 'explosive';

/** The kind of weapon as a game knows it (null: unknown), and whether the victim was hit in the head. */
export interface HowKilled {
  weaponKind: WeaponKind | null;
  isHeadshot: boolean;
}

/** A kill with a firearm from so far away is a long shot. */
export const longShotMeters = 300;
