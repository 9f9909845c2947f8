import { consolePlayers, type Platform } from './console-logs.ts';

/** Lines of one death, as the game writes them one after the other. `V`, `D`: the victim alive and dead; `K`: the killer. */
const forms: readonly (readonly string[])[] = [
  ['D[HP: 0] hit by K into Head(0) for 99.1 damage (Bullet_762x54) with SVD from METERS meters ', 'D killed by K with SVD from METERS meters '],
  ['D[HP: 0] hit by K into Torso(24) for 35 damage (Bullet_12GaugePellets) with BK-133 from METERS meters ', 'D killed by K with BK-133 from METERS meters ', 'D[HP: 0] hit by K into Torso(24) for 35 damage (Bullet_12GaugePellets) with BK-133 from METERS meters '],
  ['D[HP: 0] hit by K into Torso(25) for 12 damage (MeleeStoneKnife) with Stone Knife', 'D killed by K with Stone Knife'],
  ['D[HP: 0] hit by K into Head(0) for 9 damage (MeleeFist_Heavy)', 'D killed by K with (MeleeFist_Heavy)'],
  ['D died. Stats> Water: 355.447 Energy: 26.4938 Bleed sources: 0', 'D killed by K with M79 from METERS meters '],
  ['D[HP: 0] hit by explosion (M67Grenade_Ammo)', 'D killed by K with M67 Grenade'],
  ['D[HP: 0] hit by explosion (M67Grenade_Ammo)', 'D killed by D with M67 Grenade'],
  ['D[HP: 0] hit by explosion (RGD5Grenade_Ammo)', 'D killed by  with RGD-5 Grenade'],
  ['D killed by Player "Unknown/Dead Entity" (id=Unknown pos=<0.0, 0.0, 0.0>) with M4-A1 from METERS meters '],
  ['D[HP: 0] hit by Infected into LeftLeg(8) for 7.5 damage (MeleeZombie_Heavy)', 'D killed by ZmbM_Jacket_blue'],
  ['D[HP: 0] hit by Зараженный into Head(0) for 7.5 damage (MeleeInfectedLong)', 'D killed by ZmbF_JoggerSkinny_Red'],
  ['D[HP: 0] hit by Wolf into Head(0) for 10 damage (MeleeWolf)', 'D killed by Animal_CanisLupus_White'],
  ['D[HP: 0] hit by Sedan_02_Red with TransportHit', 'D killed by Sedan_02_Red'],
  ['D[HP: 0] hit by Mod_Buggy with TransportHit', 'D killed by Mod_Buggy'],
  ['D killed by LandMineTrap'],
  ['D killed by Mod_Thing'],
  ['D killed by AI "Some One" (group="" faction="West" pos=<1, 2, 3>) with LAR from METERS meters '],
  ['D[HP: 0] hit by FallDamageHealth', 'D died. Stats> Water: 741.727 Energy: 0 Bleed sources: 1'],
  ['D died. Bleed sources: 0'],
  ['D died. Stats> Water: 614.44 Energy: 18.1291'],
  ['D drowned. Stats> Water: 614.44 Energy: 18.1291 Bleed sources: 0'],
  ['V has drowned while unconscious'],
  ['D died. Stats> Water: 4880.74 Energy: 6171.86 Bleed sources: 1', 'D bled out'],
  ['V committed suicide', 'D died. Stats> Water: 2227.75 Energy: 4984.21 Bleed sources: 0'],
  ['V committed suicide.', 'D died. Stats> Water: 2227.75 Energy: 4984.21 Bleed sources: 0'],
]; // prettier-ignore

/** Lines between deaths: of the living, and of bodies. */
const others = [
  'V[HP: 41.5] hit by K into Torso(12) for 31.2 damage (Bullet_308Win) with M70 Tundra from METERS meters ',
  'V[HP: 93.26] hit by Infected into Block(-1) for 0 damage ',
  'V[HP: 1.55] hit by FallDamage',
  'D[HP: 0] hit by K into LeftLeg(11) for 53.1 damage (Bullet_45ACP) with FX-45 from METERS meters ',
  'D[HP: 0] hit by Infected into Torso(1) for 7.5 damage (MeleeZombie)',
  'D is choosing to respawn',
  'V is connected',
  'V is unconscious',
];

/**
 * A run in which players die in every way that a log can tell.
 * @param startedAt `2026-11-20 18:00:01`
 * @param random numbers from 0 to 1
 */
export function deathLog(
  platform: Platform,
  startedAt: string,
  random: () => number,
  deaths: number,
): string {
  const players = consolePlayers(platform);
  const lines = ['', '*'.repeat(78), `AdminLog started on ${startedAt.replace(' ', ' at ')}`];
  const start = Date.parse(`${startedAt.replace(' ', 'T')}Z`);
  const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T;
  let second = 1;
  for (let i = 0; i < deaths; i += 1) {
    const victim = pick(players);
    const killer = pick(players.filter((player) => player !== victim));
    const coordinates = (): string =>
      [random() * 15_000, random() * 15_000].map((one) => one.toFixed(1)).join(', ');
    const at = coordinates();
    const from = coordinates();
    const meters = (random() * 700).toFixed(3);
    const isFromFar = random() < 0.05;
    const told = random() < 0.6 ? pick(forms) : [pick(others)];
    for (const line of told) {
      const time = new Date(start + second * 1_000).toISOString().slice(11, 19);
      const text = line
        .replaceAll('METERS', isFromFar ? '3.40282e+38' : meters)
        .replace(/\b([VDK])(?= |\[|$)/g, (_, who: string) => {
          const { name, id } = who === 'K' ? killer : victim;
          return `Player "${name}"${who === 'D' ? ' (DEAD)' : ''} (id=${id} pos=<${who === 'K' ? from : at}, 38.2>)`;
        });
      lines.push(`${time} | ${text}`);
      if (line.startsWith('V committed') && random() < 0.5) second += 5;
    }
    second += Math.floor(random() * 16);
  }
  return `${lines.join('\n')}\n`;
}
