import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { dayzIdOf } from '../../src/api/identifiers.ts';
import * as lines from '../../src/demo/admin-log-lines.ts';
import { SQLite } from '../../src/server/store/engine/driver.ts';
import type { KillLog } from './kill-log.ts';

const mostVisitors = 400;

/**
 * A log whose clock is in UTC. Each watched player comes on, leaves and comes back in the same second, which is one stay, and
 * somebody comes on whom nobody watches.
 */
export function createVisitLog(folder: string): Pick<KillLog, 'folder' | 'died' | 'kill' | 'warmUp'> {
  mkdirSync(folder);
  const file = join(folder, 'DayZServer_x64.ADM');
  const local = (): string => new Date().toISOString().slice(0, 19).replace('T', ' ');
  writeFileSync(file, lines.header(local()));
  let players = 0;
  const visit = (name: string): void => {
    players += 1;
    const id = dayzIdOf(String(76_561_202_300_000_000n + BigInt(players)));
    const time = local().slice(11);
    const ends = ['is connected', 'has been disconnected', 'is connected'];
    appendFileSync(file, ends.map((end) => `${time} | Player "${name}"(id=${id}) ${end}\n`).join(''));
  };
  const died: string[] = [];
  return {
    folder,
    died,
    kill() {
      died.push(`v${died.length}`);
      visit(died.at(-1)!);
      visit(`w${died.length}`);
    },
    warmUp: () => visit('warmup'),
  };
}

/** Adds all visitors to the watch list of the only project. */
export function watchVisitors(store: string): void {
  const sqlite = new SQLite(store);
  try {
    const insert = sqlite.prepare(
      `INSERT INTO watch_entry (project_id, name, reason, added_at, added_by)
        SELECT id, ?, 'Cheats', 1, '2' FROM project`,
    );
    insert.run('warmup');
    for (let i = 0; i < mostVisitors; i += 1) insert.run(`v${i}`);
  } finally {
    sqlite.close();
  }
}
