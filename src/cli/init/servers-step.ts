import { sep } from 'node:path';
import { askForGameAddress } from './ask-address.ts';
import type { Context } from './context.ts';
import { type FoundGameServer } from './find/servers-in.ts';
import { configFiles, gameNames } from '../../server/games/table.ts';
import { hostKindNames, hostOptions } from './host-kinds.ts';
import { planLocal, searchThisMachine, serversAt } from './local-step.ts';
import { askForNitrado, nitradoOfOptions } from './nitrado-step.ts';
import { answerText, planAddress, triedAddress } from './plan-server.ts';
import { orBack, type Prompts } from './prompts.ts';
import type { PlannedServer } from './plan.ts';
import type { TriedAddress } from './query-port.ts';
import { askForHost, hostOfOptions } from './remote-step.ts';
import { hostAndPort } from '../../server/files/remote/place-name.ts';
import { usualGame } from '../../server/games/index.ts';

/** The game servers of a setup: those that the options name, else those that are found or that the owner names. */
export async function planServers(context: Context): Promise<PlannedServer[]> {
  const { options, prompts } = context;
  if (!options.server) return [];
  if (hostOptions.some((option) => options[option] !== undefined)) return await hostOfOptions(context);
  if (options.nitradoTokenFile !== undefined) return await nitradoOfOptions(context);
  if (options.serverConfig !== undefined) {
    const found = await Promise.all(options.serverConfig.map((path) => serversAt(context, path)));
    return await planLocal(context, found.flat());
  }
  if (options.address !== undefined) {
    const { usual } = usualGame.ports;
    return [planByAddress(context, await triedAddress(context, usualGame, options.address, usual, null))];
  }
  context.report('Looking for game servers on this machine.');
  const all = await searchThisMachine(context);
  const found = all.filter(({ logs }) => logs === null || !context.known.logs.has(logs));
  if (prompts === null) return await planLocal(context, found);
  return await ask(context, prompts, found);
}

/** Null: back to the menu. */
type Way = () => Promise<PlannedServer[] | null>;

async function ask(
  context: Context,
  prompts: Prompts,
  found: readonly FoundGameServer[],
): Promise<PlannedServer[]> {
  const everything = { value: () => planLocal(context, found), label: `All ${found.length} of these` };
  const choices: { value: Way; label: string; hint?: string }[] = [
    ...found.map((server) => ({
      value: () => planLocal(context, [server]),
      label: server.name,
      hint: `${server.isRunning ? 'running, ' : ''}${withTilde(server.root, context.machine.home)}`,
    })),
    ...(found.length > 1 ? [everything] : []),
    { value: () => askForFolder(context, prompts), label: 'In a folder on this machine' },
    { value: () => askForHost(context, prompts), label: `At a host, by ${hostKindNames}` },
    { value: () => askForNitrado(context, prompts), label: 'At Nitrado (PC, Xbox, PlayStation)' },
    { value: () => askForAddress(context, prompts), label: 'Somewhere else: show only its status' },
    { value: async () => [], label: 'I have none yet' },
  ];
  for (;;) {
    const way = await prompts.select(
      found.length > 0 ? 'Which game server?' : `Where is your ${gameNames} server?`,
      choices,
    );
    const servers = await way();
    if (servers !== null) return servers;
  }
}

/** Short, because a line has about 80 columns. */
function withTilde(folder: string, home: string): string {
  return folder.startsWith(`${home}${sep}`) ? `~${folder.slice(home.length)}` : folder;
}

async function askForFolder(context: Context, prompts: Prompts): Promise<PlannedServer[] | null> {
  return await prompts.until(
    async () =>
      await prompts.text(`Folder of the game server, or its ${configFiles} ${orBack}`, {
        placeholder: usualGame.words.folder[process.platform === 'win32' ? 'windows' : 'other'],
        check: () => null,
      }),
    async (path) => await planLocal(context, await serversAt(context, path)),
  );
}

async function askForAddress(context: Context, prompts: Prompts): Promise<PlannedServer[] | null> {
  const question = `Address of the game server, as players see it ${orBack}`;
  const tried = await askForGameAddress(context, prompts, usualGame, question, usualGame.ports.usual, null);
  return tried && [planByAddress(context, tried)];
}

function planByAddress(context: Context, tried: TriedAddress): PlannedServer {
  const { host, gamePort, queryPort, answer } = tried;
  const status = answer === null ? `no answer at port ${queryPort}` : answerText(answer);
  context.report(`${hostAndPort({ host, port: gamePort })}: ${status}`);
  return planAddress(usualGame, context.options.name ?? null, tried);
}
