import { sep } from 'node:path';
import { CommandFailure } from '../output.ts';
import { readGameAddress } from './address.ts';
import type { Context } from './context.ts';
import type { FoundServer } from './find/found-server.ts';
import { planLocal, searchThisMachine, serversAt } from './local-step.ts';
import { askForNitrado, nitradoOfOptions } from './nitrado-step.ts';
import { answerText, planAddress, tried } from './plan-server.ts';
import type { PlannedServer } from './plan.ts';
import { askForHost, hostOfOptions, problemOf } from './remote-step.ts';
import { hostAndPort } from '../../server/store/projects/places.ts';
import { defaultGamePort } from '../../server/games/dayz/server-config.ts';

/** The game servers of a setup: those that the options name, else those that are found or that the owner names. */
export async function planServers(context: Context): Promise<PlannedServer[]> {
  const { options, prompts } = context;
  if (!options.server) return [];
  if (options.sftp !== undefined || options.ftp !== undefined) return await hostOfOptions(context);
  if (options.nitradoTokenFile !== undefined) return await nitradoOfOptions(context);
  if (options.serverConfig !== undefined) {
    const found = await Promise.all(options.serverConfig.map((path) => serversAt(context, path)));
    return await planLocal(context, found.flat());
  }
  if (options.address !== undefined) return [await planByAddress(context, options.address)];
  context.report('Looking for game servers on this machine.');
  const found = await searchThisMachine(context);
  if (prompts === null) return await planLocal(context, found);
  return await ask(context, found);
}

type Way = () => Promise<PlannedServer[]>;

async function ask(context: Context, found: readonly FoundServer[]): Promise<PlannedServer[]> {
  const prompts = context.prompts;
  if (prompts === null) throw new Error('expected a terminal');
  const everything = { value: () => planLocal(context, found), label: `All ${found.length} of these` };
  const choices: { value: Way; label: string; hint?: string }[] = [
    ...found.map((server) => ({
      value: () => planLocal(context, [server]),
      label: server.name,
      hint: `${server.isRunning ? 'running, ' : ''}${withTilde(server.root, context.machine.home)}`,
    })),
    ...(found.length > 1 ? [everything] : []),
    { value: () => askForFolder(context), label: 'In a folder on this machine' },
    { value: () => askForHost(context), label: 'At a host, by SFTP or FTP' },
    { value: () => askForNitrado(context), label: 'At Nitrado (PC, Xbox, PlayStation)' },
    { value: () => askForAddress(context), label: 'Somewhere else: show only its status' },
    { value: async () => [], label: 'I have none yet' },
  ];
  const way = await prompts.select(
    found.length > 0 ? 'Which game server?' : 'Where is your DayZ server?',
    choices,
  );
  return await way();
}

/** Short, because a line has about 80 columns. */
function withTilde(folder: string, home: string): string {
  return folder.startsWith(`${home}${sep}`) ? `~${folder.slice(home.length)}` : folder;
}

async function askForFolder(context: Context): Promise<PlannedServer[]> {
  for (;;) {
    const path = await context.prompts?.text('Folder of the game server, or its serverDZ.cfg', {
      placeholder: process.platform === 'win32' ? 'C:\\DayZServer' : '/home/dayz/serverfiles',
      check: (answer) => (answer === '' ? 'Expected a folder or file.' : null),
    });
    try {
      return await planLocal(context, await serversAt(context, path ?? ''));
    } catch (error) {
      if (!(error instanceof CommandFailure)) throw error;
      context.warn(error.message);
    }
  }
}

async function askForAddress(context: Context): Promise<PlannedServer[]> {
  const text = await context.prompts?.text('Address of the game server, as players see it', {
    placeholder: '203.0.113.7:2302',
    check: (answer) => problemOf(() => readGameAddress(answer)),
  });
  return [await planByAddress(context, text ?? '')];
}

async function planByAddress(context: Context, text: string): Promise<PlannedServer> {
  const { host, port } = readGameAddress(text);
  const gamePort = port ?? defaultGamePort;
  const at = await tried(context, [host], gamePort, null);
  const status = at.answer === null ? `no answer at port ${at.queryPort}` : answerText(at.answer);
  context.report(`${hostAndPort({ host, port: gamePort })}: ${status}`);
  return planAddress(context.options.name ?? null, gamePort, at);
}
