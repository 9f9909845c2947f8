import { describe, expect, it } from 'vitest';
import type { OperationResponse } from '../../src/api/operations.ts';
import type { GatewayControl } from 'local-discord';
import { contractClient } from '../commands/contract-client.ts';
import * as data from '../embeds/contract-data.ts';
import { held, startWorld, until, type World } from './discord-world.ts';
import { ask, callbacksOf, expectAnsweredOnce } from './faults.ts';

/** A bot in the middle of answering /status: it waits for the service until `finish` is called. */
async function startBusyWorld(): Promise<{
  world: World;
  busy: ReturnType<typeof ask>;
  finish: () => void;
}> {
  const waiting = held<OperationResponse<'listServers'>>();
  let asking = false;
  const listServers = () => {
    asking = true;
    return waiting.promise;
  };
  const world = await startWorld({ client: contractClient({ listServers }, Date.now) });
  await world.bot.ready;
  const busy = ask(world.discord, 'status');
  await until(() => asking);
  return { world, busy, finish: () => waiting.resolve({ servers: data.servers }) };
}

const recoveries: [string, (gateway: GatewayControl) => void][] = [
  ['a socket that drops', (gateway) => gateway.dropAll()],
  ['opcode 7', (gateway) => gateway.requestReconnect()],
  ['opcode 9 of a session that may resume', (gateway) => gateway.invalidateSessions(true)],
  ['close code 4000', (gateway) => gateway.closeAll(4000)],
  ['close code 4009', (gateway) => gateway.closeAll(4009)],
];

describe.concurrent('interactions survive', () => {
  it.each(recoveries)('%s: those in flight, those sent meanwhile and those after', async (_, provoke) => {
    const { world: started, busy, finish } = await startBusyWorld();
    await using world = started;
    const { discord } = world;
    provoke(discord.gateway);
    const meanwhile = ['schedule', 'schedule', 'schedule'].map((name) => ask(discord, name));
    await until(() => discord.gateway.resumes === 1);
    finish();
    const answers = [await busy, ...(await Promise.all(meanwhile)), await ask(discord, 'status')];
    for (const answer of answers) expectAnsweredOnce(discord, answer);
    expect(discord.gateway).toMatchObject({ identifies: 1, resumes: 1, connected: 1 });
  });

  it('opcode 9 of a session that is gone: those in flight and those of the next session', async () => {
    const { world: started, busy, finish } = await startBusyWorld();
    await using world = started;
    const { discord } = world;
    discord.gateway.invalidateSessions(false);
    finish();
    expectAnsweredOnce(discord, await busy);
    // discord.js lets five seconds pass between two IDENTIFYs.
    await until(() => discord.gateway.identifies === 2 && discord.gateway.connected === 1);
    expectAnsweredOnce(discord, await ask(discord, 'schedule'));
    expect(discord.gateway.resumes).toBe(0);
  });

  it('a gateway that refuses connections for a while', async () => {
    await using world = await startWorld();
    await world.bot.ready;
    const { discord } = world;
    discord.gateway.setAvailable(false);
    discord.gateway.dropAll();
    const asked = ask(discord, 'schedule');
    await until(() => discord.gateway.connected === 0);
    // discord.js tries twice a second.
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    discord.gateway.setAvailable(true);
    expectAnsweredOnce(discord, await asked);
    await until(() => world.lines.some(({ msg }) => msg === 'connection to Discord resumed'));
    expect(world.lines.filter(({ msg }) => msg === 'connection to Discord lost, reconnecting')).toHaveLength(
      1,
    );
  });

  it.each([4004, 4014])('close code %i: what is in flight is answered, then the bot is off', async (code) => {
    const { world: started, busy, finish } = await startBusyWorld();
    await using world = started;
    const { discord } = world;
    discord.gateway.closeAll(code);
    await until(() => world.lines.some(({ level }) => level === 50));
    finish();
    const answer = await busy;
    expectAnsweredOnce(discord, answer);
    expect(callbacksOf(discord, answer.id)).toHaveLength(1);
    expect(world.lines.filter(({ level }) => level === 50)).toHaveLength(1);
    expect(discord.gateway.connected).toBe(0);
  });
});

describe.concurrent('a bot that is stopped while it reconnects', () => {
  const reconnects = ({ lines }: World) => lines.some(({ msg }) => msg.includes('lost, reconnecting'));

  it('leaves as soon as Discord answers again', async () => {
    await using world = await startWorld();
    await world.bot.ready;
    const { gateway } = world.discord;
    gateway.setAvailable(false);
    gateway.dropAll();
    await until(() => reconnects(world));
    await world.bot.stop();
    gateway.setAvailable(true);
    await until(() => gateway.resumes === 1);
    await until(() => gateway.connected === 0);
    expect(gateway.logins).toBe(1);
  });
});
