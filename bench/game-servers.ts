// The game servers of projects.ts, in a process of their own: argv[2] that answer and argv[3] that are silent. Sends the
// ports, and when asked how long each server waited from one check to its next.
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { startSimulatedGameServer } from '../src/demo/game-server.ts';

const [answering, silent] = process.argv.slice(2).map(Number) as [number, number];
const sampleEveryMs = 50;

const servers = await Promise.all(
  Array.from({ length: answering }, (_, index) =>
    startSimulatedGameServer({ name: `Server ${index}`, map: 'enoch', maxPlayers: 60, players: index % 60 }),
  ),
);
const silentPorts = await Promise.all(
  Array.from({ length: silent }, async () => {
    const socket = createSocket('udp4');
    socket.bind(0, '127.0.0.1');
    await once(socket, 'listening');
    return socket.address().port;
  }),
);

const seen = servers.map(() => ({ queries: 0, at: 0 }));
let gaps: number[] = [];
setInterval(() => {
  const now = performance.now();
  servers.forEach((server, index) => {
    const last = seen[index] as (typeof seen)[number];
    if (server.queries.info === last.queries) return;
    if (last.at > 0) gaps.push((now - last.at) / 1000);
    seen[index] = { queries: server.queries.info, at: now };
  });
}, sampleEveryMs);

process.on('message', (message) => {
  if (message === 'forget') gaps = [];
  else {
    const now = performance.now();
    // One that was not checked again until the end has waited at least so long.
    process.send?.({ gaps, open: seen.map(({ at }) => (now - at) / 1000) });
  }
});
process.send?.({ ports: servers.map(({ port }) => port), silentPorts });
