import { createHash } from 'node:crypto';

export type Platform = 'xbox' | 'playstation';

/** Players as a console's log names them: an Xbox id is 40 upper-case hex digits, a PlayStation id looks like DayZ's own. */
export function consolePlayers(platform: Platform): { name: string; id: string }[] {
  const names = ['Some Gamertag', 'xX_Hunter_Xx#1234', 'why_b_da__goat', "O'Neil 99", 'Ünïcode'];
  return names.map((name) => {
    const hash = createHash('sha256').update(`${platform} ${name}`);
    const id =
      platform === 'xbox' ? hash.digest('hex').slice(0, 40).toUpperCase() : `${hash.digest('base64url')}=`;
    return { name, id };
  });
}

const prefix = { xbox: 'X1', playstation: 'PS4' };

/** `DayZServer_X1_x64_2026-11-20_18-00-01.ADM` */
export function consoleLogName(platform: Platform, startedAt: string): string {
  return `DayZServer_${prefix[platform]}_x64_${startedAt.replace(' ', '_').replaceAll(':', '-')}.ADM`;
}

/**
 * A run of an hour as a console server writes it: connects, the list of players every five minutes, hits, kills, deaths
 * and disconnects.
 * @param startedAt `2026-11-20 18:00:01`
 * @param random numbers from 0 to 1
 */
export function consoleLog(platform: Platform, startedAt: string, random: () => number): string {
  const players = consolePlayers(platform);
  const lines = ['', '', '*'.repeat(78), `AdminLog started on ${startedAt.replace(' ', ' at ')}`];
  const online = new Set<number>();
  const pick = (numbers: Iterable<number>): number => {
    const all = [...numbers];
    return all[Math.floor(random() * all.length)] as number;
  };
  const who = (index: number, extra = ''): string => {
    const { name, id } = players[index] as (typeof players)[number];
    const [x, z] = [random() * 15_000, random() * 15_000].map((one) => one.toFixed(1));
    return `Player "${name}"${extra} (id=${id} pos=<${x}, ${z}, 38.2>)`;
  };
  const bare = (index: number): string => `Player "${players[index]?.name}"(id=${players[index]?.id})`;
  const start = Date.parse(`${startedAt.replace(' ', 'T')}Z`);
  for (let second = 20; second < 3_600; second += 5 + Math.floor(random() * 60)) {
    const time = new Date(start + second * 1_000).toISOString().slice(11, 19);
    const add = (text: string): void => void lines.push(`${time} | ${text}`);
    const absent = players.flatMap((_, index) => (online.has(index) ? [] : [index]));
    const roll = random();
    if (absent.length > 0 && (online.size < 2 || roll < 0.2)) {
      const index = pick(absent);
      add(`${bare(index)} is connected`);
      online.add(index);
    } else if (roll < 0.3) {
      const index = pick(online);
      add(`${bare(index)} has been disconnected`);
      online.delete(index);
    } else if (roll < 0.5) {
      add(`##### PlayerList log: ${online.size} players`);
      for (const index of online) add(who(index));
      add('#####');
    } else {
      const victim = pick(online);
      const others = [...online].filter((index) => index !== victim);
      const meters = (random() * 700).toFixed(3);
      if (roll < 0.7) {
        const killer = who(pick(others));
        add(
          `${who(victim)}[HP: 41.5] hit by ${killer} into Torso(12) for 31.2 damage (Bullet_308Win) with M70 Tundra from ${meters} meters `,
        );
      } else if (roll < 0.85) {
        const killer = who(pick(others));
        add(
          `${who(victim, ' (DEAD)')}[HP: 0] hit by ${killer} into Head(0) for 110 damage (Bullet_308Win) with M70 Tundra from ${meters} meters `,
        );
        add(`${who(victim, ' (DEAD)')} killed by ${killer} with M70 Tundra from ${meters} meters `);
      } else if (roll < 0.95) {
        add(`${who(victim, ' (DEAD)')} died. Stats> Water: 614.44 Energy: 18.1291 Bleed sources: 0`);
      } else {
        add(`${who(victim)} committed suicide`);
        add(`${who(victim, ' (DEAD)')} died. Stats> Water: 310.1 Energy: 90 Bleed sources: 0`);
      }
    }
  }
  return `${lines.join('\n')}\n`;
}
