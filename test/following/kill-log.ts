import { appendFileSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { dayzIdOf } from '../../src/api/identifiers.ts';
import * as lines from '../../src/demo/admin-log-lines.ts';

const weapon = { name: 'M4-A1', ammunition: 'Bullet_556x45', damage: 34.5, reach: 250 };

export interface KillLog {
  folder: string;
  /** The victims, in the order in which they died. */
  died: string[];
  /** How many kills were written, those of the warm-up included. */
  written(): number;
  kill(): void;
  /** A kill that does not count. */
  warmUp(): void;
  /** Gives the log another name and begins a new run. */
  rotate(): void;
}

/** A log whose clock is in UTC, in which one player kills all others. */
export function createKillLog(folder: string): KillLog {
  mkdirSync(folder);
  const file = join(folder, 'DayZServer_x64.ADM');
  const local = (): string => new Date().toISOString().slice(0, 19).replace('T', ' ');
  const begin = (): void => writeFileSync(file, lines.header(local()));
  begin();
  let players = 0;
  const survivor = (name: string, health: number): lines.Survivor => {
    players += 1;
    const id = dayzIdOf(String(76_561_202_200_000_000n + BigInt(players)));
    return { name, id, east: 100, north: 100, health };
  };
  const killer = survivor('Killer', 100);
  const write = (name: string): void =>
    appendFileSync(file, `${local().slice(11)} | ${lines.killed(survivor(name, 0), killer, weapon, 100)}\n`);
  const died: string[] = [];
  return {
    folder,
    died,
    // One of the players is the killer.
    written: () => players - 1,
    kill() {
      died.push(`v${died.length}`);
      write(died.at(-1)!);
    },
    warmUp: () => write('warmup'),
    rotate() {
      renameSync(file, join(folder, `DayZServer_x64_${local().replace(/[- :]/g, '_')}.ADM`));
      begin();
    },
  };
}
