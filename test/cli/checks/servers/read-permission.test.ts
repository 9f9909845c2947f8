import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { commandsToRead } from '../../../../src/cli/checks/servers/read-permission.ts';
import { asOrdinaryUser, isRoot } from '../../../harness/ordinary-user.ts';

const gameGroup = 54_321;
let home: string;
let log: string;
beforeEach(() => {
  home = join(mkdtempSync(join(tmpdir(), 'outpost-permission-')), 'home');
  chmodSync(join(home, '..'), 0o755);
  mkdirSync(join(home, 'profiles'), { recursive: true });
  log = join(home, 'profiles/DayZServer_x64.ADM');
  writeFileSync(log, '');
});
afterEach(() => rmSync(join(home, '..'), { recursive: true }));

it.runIf(isRoot)('names the folder that is closed, and the group that may enter it', async () => {
  chownSync(home, gameGroup, gameGroup);
  chmodSync(home, 0o750);
  const commands = await asOrdinaryUser(() => commandsToRead(log, false));
  expect(commands).toMatch(
    /^\. .*\/home is closed to that user: sudo usermod --append --groups 54321 \S+, then/,
  );
  const inContainer = await asOrdinaryUser(() => commandsToRead(log, true));
  expect(inContainer).toMatch(
    /\/home is closed to that user: group_add: \['54321'\] in compose\.yaml, then restart Outpost$/,
  );
  // As Debian makes homes.
  chmodSync(home, 0o700);
  expect(await asOrdinaryUser(() => commandsToRead(log, false))).toMatch(
    /: sudo chmod g\+rx \S+\/home, sudo usermod/,
  );
});

it.runIf(isRoot)('names the file where all folders are open', async () => {
  chownSync(log, gameGroup, gameGroup);
  chmodSync(log, 0o600);
  expect(await asOrdinaryUser(() => commandsToRead(log, false))).toMatch(
    /\.ADM is closed to that user: sudo chmod g\+r /,
  );
});

it.runIf(isRoot)('gives a command that can be pasted, also for a user without a name', async () => {
  const folder = join(home, 'game server');
  mkdirSync(folder);
  chownSync(folder, gameGroup, gameGroup);
  chmodSync(folder, 0o700);
  const unnamed = 54_322;
  process.seteuid!(unnamed);
  try {
    expect(commandsToRead(join(folder, 'DayZServer_x64.ADM'), false)).toContain(
      `: sudo chmod g+rx '${folder}', sudo usermod --append --groups ${gameGroup} ${unnamed}, then`,
    );
  } finally {
    process.seteuid!(0);
  }
});

it('puts nobody into the group of root', async () => {
  chmodSync(log, 0o000);
  const commands = await asOrdinaryUser(() => commandsToRead(log, false));
  expect(commands).toBe(isRoot ? '' : `. Run: chmod u+r ${log}`);
});
