// Measures the service against a bare node:http server that sends the same bytes, A B A B in one run, and prints ratios.
// Figures of one machine at one moment: only the ratios mean something, and only beside the noise that is printed.
import { createServer, Agent, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { northwood, storeAnn, storePlayers } from '../test/harness/northwood.ts';
import { startTestService } from '../test/harness/service.ts';

const rounds = 4;
const requestsARound = 3_000;
const parallel = 16;
const paths = ['/v1/servers', '/v1/leaderboards', '/v1/banlists/northwood-bans/bans'];

const service = await startTestService(northwood());
await storeAnn(service.db, 'northwood');
await storePlayers(
  service.db,
  'northwood',
  Array.from({ length: 1_000 }, (_, index) => index + 1),
);
const caller = await service.caller('northwood');
const headers = { Authorization: `Bearer ${caller.token}`, 'User-Agent': caller.id };
const agent = new Agent({ keepAlive: true, maxSockets: parallel });

console.log('operation                              service req/s   bare req/s   ratio (each round)');
for (const path of paths) {
  const { body } = await caller.get(path);
  const bytes = Buffer.from(JSON.stringify(body));
  const bare = createServer((_request, response) => response.end(bytes));
  await new Promise<void>((resolve) => bare.listen(0, '127.0.0.1', resolve));
  const bareUrl = `http://127.0.0.1:${(bare.address() as AddressInfo).port}/`;
  const results: { service: number; bare: number }[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const result = { service: await measure(`${service.url}${path}`), bare: await measure(bareUrl) };
    // The first round warms up.
    if (round > 0) results.push(result);
  }
  const best = (side: 'service' | 'bare'): number => Math.max(...results.map((result) => result[side]));
  const ratios = results.map((result) => (result.service / result.bare).toFixed(2)).join(' ');
  console.log(
    `${path.padEnd(38)} ${best('service').toFixed(0).padStart(13)} ${best('bare').toFixed(0).padStart(12)}   ${ratios}`,
  );
  bare.close();
}
agent.destroy();
await service.close();

/** Requests per second. */
async function measure(url: string): Promise<number> {
  let left = requestsARound;
  const started = performance.now();
  const worker = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      // The limit is part of what is measured, but not its refusals: the service's clock is turned on.
      service.clock.now += 520;
      await request(url);
    }
  };
  await Promise.all(Array.from({ length: parallel }, worker));
  return requestsARound / ((performance.now() - started) / 1000);
}

async function request(url: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    get(url, { agent, headers }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${url} answered ${response.statusCode}`));
      response.resume().once('end', resolve);
    }).once('error', reject);
  });
}
