/** A killing blow as the log names it. Null: it does not. */
export interface NamedBlow {
  /** As players see it: `M4-A1`. */
  weapon: string | null;
  /** The game's name: `Bullet_308Win`, `MeleeFist`. */
  ammo: string | null;
  /** The game's name: `Head`. */
  bodyPart: string | null;
  meters: number | null;
}

/** `blunt` includes everything without an edge, `rifle` shotguns and submachine guns. */
export type WeaponKind = 'fists' | 'blunt' | 'blade' | 'bow' | 'pistol' | 'rifle' | 'explosive';

export interface HowKilled {
  /** Null: unknown. */
  weaponKind: WeaponKind | null;
  isHeadshot: boolean;
}

/**
 * Kinds by the names that players see, the game's own and those that mods make up. The first match counts: a bayonet may
 * name its rifle, and a knife its throwing.
 */
const kindsByName: readonly (readonly [RegExp, WeaponKind])[] = [
  [
    /grenade|dynamite|explosive|\bmine\b|landmine|claymore|\bc-?4\b|\bied\b|\bm79\b|launcher|\brpg|\blaw\b/i,
    'explosive',
  ],
  [/\b(?:cross)?bow\b|bolt thrower/i, 'bow'],
  [
    /knife|machete|sword|katana|\baxe\b|hatchet|cleaver|bayonet|sickle|scythe|spear|dagger|karambit|tomahawk|hacksaw|hand ?saw|pitchfork/i,
    'blade',
  ],
  [
    /fnx|glock|makarov|ij-?70|mkii|mk ii|1911|cr-?75|deagle|desert eagle|^magnum|revolver|longhorn|\bp1\b|\bpistol|engraved kolt|derringer|beretta|usp\b|flare gun|five-?seven|p226|\bm9\b/i,
    'pistol',
  ],
  [
    /\bbat\b|hammer|shovel|crowbar|\bpipe\b|wrench|\bmace\b|club|baton|\bpan\b|\bpot\b|torch|flashlight|broom|\bhoe\b|pickaxe|iceaxe|brass knuckles|fire extinguisher|stick|\blug\b/i,
    'blunt',
  ],
];

/** Ammunition of firearms that pistols share with submachine guns says nothing about which it was. */
const kindsByAmmo: readonly (readonly [RegExp, WeaponKind])[] = [
  [/^MeleeFist/, 'fists'],
  [/^Melee\w*(?:Sharp|Knife|Sword|Axe|Machete)/, 'blade'],
  [/^Melee/, 'blunt'],
  [/^(?:Arrow|Bolt)/, 'bow'],
  [/Explosion|Grenade|40mm/i, 'explosive'],
  [/^Bullet/, 'rifle'],
];

/** Nobody is hit by hand from farther away. */
const armsLength = 6;

/** How a player was killed, by the names in an admin log. A weapon that no name gives away counts by its distance. */
export function howKilled({ weapon, ammo, bodyPart, meters }: NamedBlow): HowKilled {
  const named = match(kindsByName, weapon);
  // A buttstock or bayonet may bear the name of its gun.
  const isByHand = ammo?.startsWith('Melee') === true && named !== 'blade';
  const byAmmo = match(kindsByAmmo, ammo);
  const weaponKind =
    (isByHand ? byAmmo : (named ?? byAmmo)) ??
    (weapon !== null && (meters ?? 0) > armsLength ? 'rifle' : null);
  return { weaponKind, isHeadshot: bodyPart === 'Head' || bodyPart === 'Brain' };
}

const match = (kinds: typeof kindsByName, text: string | null): WeaponKind | null =>
  text === null ? null : (kinds.find(([pattern]) => pattern.test(text))?.[1] ?? null);
